import * as v from "valibot";
import { listPictures } from "../../core/pictures/getpicturelist.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { numberResult, textResult } from "../schemas.ts";

/** Lists the resources that hold pictures; ours, for device views. */
export const getpicturelist = rpcMethod({
  name: "getpicturelist",
  summary: "List the resources that hold pictures, and which picture each has now.",
  params: {},
  result: v.array(v.object({
    id: numberResult("number of the resource"),
    name: textResult("name of the resource"),
    version: v.pipe(
      v.nullable(v.string()),
      v.description("changes with every replacement; null without a picture"),
    ),
    bytes: numberResult("size of the picture, in bytes"),
  })),
  reads: true,
  run: ({ state }) => ({ result: listPictures(state) }),
});
