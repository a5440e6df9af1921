import { readConfig } from '../../read-config'

const read = readConfig(document)

/** What the server wrote into the document; `base` has no slash at its end, and is empty at the root. */
export const config = { ...read, base: read.base.replace(/\/+$/, '') }
