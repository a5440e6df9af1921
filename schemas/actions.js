const { readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')

const read = (file) => readFileSync(join(__dirname, file), 'utf8')
const schemaOf = (action) => JSON.parse(read(`changes/${action}.json`))

/** Writes the lists of all actions, so that a new one needs nothing but its schema in `changes/`. Returns the actions. */
function writeActionLists() {
  const actions = allActions()
  const files = Object.fromEntries(actions.map((action) => [action, `changes/${action}.json`]))
  rewrite('shared/action.json', 'enum', /\[[^\]]*\]/, actions)
  const references = Object.values(files).map(($ref) => ({ $ref }))
  rewrite('change.json', 'oneOf', /\[[^\]]*\]/, references)
  rewrite('change.json', 'mapping', /\{[^}]*\}/, files)
  return actions
}

/** In the order of `shared/action.json`, where a new one goes behind the others and before the older names. */
function allActions() {
  const present = readdirSync(join(__dirname, 'changes')).map((file) => file.replace(/\.json$/, ''))
  const listed = JSON.parse(read('shared/action.json')).enum.filter((action) => present.includes(action))
  const isOlderName = (action) => schemaOf(action).description.startsWith('An older name of ')
  const fresh = present.filter((action) => !listed.includes(action)).sort()
  return [...listed.filter((action) => !isOlderName(action)), ...fresh, ...listed.filter(isOlderName)]
}

/** Replaces the value of one property and leaves all else as it is written. */
function rewrite(file, property, value, replacement) {
  const before = read(file)
  const place = new RegExp(`^( *)"${property}": ${value.source}`, 'm')
  if (!place.test(before)) throw new Error(`schemas/${file} has no "${property}"`)
  const after = before.replace(place, (_, indent) => {
    const lines = JSON.stringify(replacement, null, 2).replaceAll('\n', `\n${indent}`)
    return `${indent}"${property}": ${lines}`
  })
  if (after !== before) writeFileSync(join(__dirname, file), after)
}

/** The module that hands the schemas to the validation. */
function schemaImports(actions) {
  return `${actions.map((action) => `import ${action} from '#schemas/changes/${action}.json'`).join('\n')}
import type { Action } from './index'

/** The schema of each action, in the order in which errors name the actions. */
export const schemaOfEachAction: Readonly<Record<Action, object>> = {
${actions.map((action) => `  ${action},`).join('\n')}
}
`
}

module.exports = { writeActionLists, schemaImports }
