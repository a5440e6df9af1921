import { schemaOfEachAction } from '../generated/change-schemas'

/** The schema of each action, in the order of error messages. A Map, because the key comes from the caller. */
export const changeSchemas: ReadonlyMap<string, object> = new Map(Object.entries(schemaOfEachAction))
