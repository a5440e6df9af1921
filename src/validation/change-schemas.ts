import { schemaOfEachAction } from '../generated/change-schemas'

/** The schema of each action, in the order in which errors name the actions. A Map, since callers choose the key. */
export const changeSchemas: ReadonlyMap<string, object> = new Map(Object.entries(schemaOfEachAction))
