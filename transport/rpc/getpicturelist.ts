import * as v from "valibot";
import { listPictures } from "../../core/pictures/getpicturelist.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { counts, says } from "../schemas.ts";

/** Lists what pictures can be uploaded to; ours, for device views. */
export const getpicturelist = rpcMethod({
  name: "getpicturelist",
  summary: "List the resources that hold pictures, and which picture each has now.",
  params: {},
  result: v.array(v.object({
    id: counts("the number of the resource"),
    name: says("what it is called"),
    version: v.pipe(
      v.nullable(v.string()),
      v.description("another one for every replacement; null where there is no picture"),
    ),
    bytes: counts("the size of the picture, in bytes"),
  })),
  reads: true,
  run: ({ state }) => ({ result: listPictures(state) }),
});
