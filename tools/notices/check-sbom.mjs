// Checks a bill of materials against the published schema of CycloneDX 1.6; for Node. It imports
// the packages of the folder in which it is started.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(`${process.cwd()}/x.js`);
const { Spec, Validation } = require("@cyclonedx/cyclonedx-library");

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
const faults = await validator.validate(readFileSync(process.argv[2], "utf8"));
if (faults !== null) throw new Error(JSON.stringify(faults, null, 1));
