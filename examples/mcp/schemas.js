import { createRequire } from 'node:module'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { escapeSegment } from './paths.js'

const { components } = createRequire(import.meta.url)('express-change-requests/openapi.json')
const ajv = addFormats.default(new Ajv2020({ strict: false, discriminator: true }))

export const project = { type: 'string', description: 'The name of the project.' }
export const id = { type: 'integer', minimum: 1, description: 'The id of the change request.' }

/** The input schema of a tool; all properties but the optional ones are required. */
export function inputSchema(properties, optional = [], $defs = undefined) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required, additionalProperties: false, ...($defs && { $defs }) }
}

/** The published schema of a change, with the schemas of all actions. */
export function changeSchema() {
  const $defs = {}
  const include = (name) => {
    if (name in $defs) return
    $defs[name] = undefined
    $defs[name] = JSON.parse(
      JSON.stringify(components.schemas[name], (key, value) => {
        if (key === 'examples' || key === 'mapping') return undefined
        const [, other] = (key === '$ref' && /^#\/components\/schemas\/([^/]+)/.exec(value)) || []
        if (other !== undefined) include(other)
        return other === undefined ? value : value.replace('#/components/schemas/', '#/$defs/')
      }),
    )
  }
  include('SubmittedChange')
  return { schema: { $ref: '#/$defs/SubmittedChange' }, $defs }
}

/** Arguments that do not match the input schema of a tool. */
export class InvalidArguments extends Error {
  /** @param {{ path: string, message: string }[]} details */
  constructor(details) {
    super('The arguments do not match the input schema of the tool.')
    this.details = details
  }
}

/** @throws InvalidArguments */
export function checkArguments(schema, input) {
  const matches = ajv.compile(schema)
  if (matches(input)) return
  throw new InvalidArguments(
    (matches.errors ?? []).map(({ instancePath, params, message = '' }) => ({
      path: [instancePath, ...namedBy(params)].join('/'),
      message,
    })),
  )
}

/** The property that is missing or unknown; the path of the validator ends at the object. */
function namedBy({ missingProperty, additionalProperty, unevaluatedProperty }) {
  const name = missingProperty ?? additionalProperty ?? unevaluatedProperty
  return name === undefined ? [] : [escapeSegment(name)]
}
