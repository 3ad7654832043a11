// How bodies and other texts stand for values, by their media type: the runtime decides it.

export { codecOf, essenceOf, type Codec } from "../runtime/media-types.ts";
