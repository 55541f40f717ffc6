/**
 * Validators of published descriptions. The packages are named here alone and not in deno.json: the
 * packages of deno.json are downloaded at any start of the service, which needs no validator.
 *
 * @module
 */
export { Ajv2020 } from "npm:ajv@8.20.0/dist/2020.js";
export { default as formats } from "npm:ajv-formats@3.0.1";
export { Validator } from "npm:@seriousme/openapi-schema-validator@2.11.0";
