import { bodySchemas, eventRecord, schemaOfEachAction, sharedSchemas } from '../../generated/change-schemas'

export { bodySchemas, eventRecord }

/** The schema of each action, in the order of error messages. A Map, because the key comes from the caller. */
export const changeSchemas: ReadonlyMap<string, object> = new Map(Object.entries(schemaOfEachAction))

/** Every schema that can be compiled or referred to, once each, except for the name of a flag, which depends on the router. */
export const allSchemas: readonly object[] = [
  ...sharedSchemas,
  ...Object.values(bodySchemas),
  eventRecord,
  ...changeSchemas.values(),
]
