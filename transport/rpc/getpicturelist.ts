import { listPictures } from "../../core/pictures/getpicturelist.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";

/** Lists what pictures can be uploaded to; ours, for device views. */
export const getpicturelist = rpcMethod({
  name: "getpicturelist",
  summary: "List the resources that hold pictures, and which picture each has now.",
  params: {},
  reads: true,
  run: ({ state }) => ({ result: listPictures(state) }),
});
