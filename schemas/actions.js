const { readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join, posix } = require('node:path')

const read = (file) => readFileSync(join(__dirname, file), 'utf8')

/** The schemas of bodies without changes. */
const bodies = [
  'acknowledgement.json',
  'approvers-update.json',
  'check-report.json',
  'comment-resolution.json',
  'comment-submission.json',
  'comment-update.json',
  'objection-dismissal.json',
  'objection.json',
  'playground-request.json',
  'preset-schedule.json',
  'rebase.json',
  'revert.json',
  'settings-update.json',
  'shared/states/state-update-scheduled.json',
  'shared/states/state-update-unscheduled.json',
  'title.json',
]
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

/** The schemas that a schema refers to, directly and through others, as paths in this folder. */
function referencedBy(files) {
  const found = new Set(files)
  for (const file of found) {
    for (const [, $ref] of read(file).matchAll(/"\$ref": "([^"#]+)"/g)) found.add(posix.join(posix.dirname(file), $ref))
  }
  return [...found].filter((file) => !files.includes(file)).sort()
}

/** The module that hands the schemas to the validation. */
function schemaImports(actions) {
  const changes = actions.map((action) => `changes/${action}.json`)
  // The rule for the names of flags depends on the router.
  const shared = referencedBy([...changes, ...bodies, 'event-record.json']).filter(
    (file) => file !== 'shared/feature-name.json',
  )
  const nameOf = (file) => posix.basename(file, '.json').replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
  const imports = [...changes, ...bodies, 'event-record.json', ...shared].map(
    (file) => `import ${nameOf(file)} from '#schemas/${file}'`,
  )
  const names = (files) => files.map((file) => `  ${nameOf(file)},`).join('\n')
  return `${imports.join('\n')}
import type { Action } from './index'

/** The schema of each action, in the order in which errors name the actions. */
export const schemaOfEachAction: Readonly<Record<Action, object>> = {
${names(changes)}
}

/** The schemas of bodies without changes. */
export const bodySchemas = {
${names(bodies)}
}

export { eventRecord }

/** Schemas that are never compiled on their own: other schemas refer to them. */
export const sharedSchemas: readonly object[] = [
${names(shared)}
]
`
}

module.exports = { writeActionLists, schemaImports }
