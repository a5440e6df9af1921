import { kindOf } from '../../../domain/content/strategy-kinds'
import { type Json, objectOf, shown, textIn } from './json'

/** The heading of a change: `Strategy “Nordics”` and `edited`. */
export interface ChangeWords {
  readonly icon: 'pencil' | 'plus' | 'trash' | 'flag' | 'split' | 'list' | 'inbox' | 'braces'
  readonly what: string
  readonly how: string
}

/** A change as it was proposed, with the payload that clients sent. */
export interface ProposedChange {
  readonly action: string
  readonly payload: Json
  /** Of a segment. */
  readonly name?: string
}

type Describe = (payload: Json, target: Json, name: string) => ChangeWords

function fixed(icon: ChangeWords['icon'], what: string, how: string): Describe {
  return () => ({ icon, what, how })
}

function strategy(icon: ChangeWords['icon'], how: string): Describe {
  return (payload, target) => ({ icon, what: `Strategy ${quoted(strategyName(payload, target))}`, how })
}

function segment(icon: ChangeWords['icon'], how: string): Describe {
  return (payload, _target, name) => {
    const known = name || textIn(payload, 'name')
    return { icon, what: known ? `Segment ${quoted(known)}` : `Segment ${shown(objectOf(payload).id)}`, how }
  }
}

const descriptions: Readonly<Record<string, Describe>> = {
  updateEnabled: (payload) => {
    const { enabled, shouldActivateDisabledStrategies } = objectOf(payload)
    const activates = enabled === true && shouldActivateDisabledStrategies === true
    const how = activates ? 'and its strategies, where all are switched off' : ''
    return { icon: 'flag', what: enabled === true ? 'Switched on' : 'Switched off', how }
  },
  archiveFeature: fixed('inbox', 'Archived', 'in all environments'),
  addStrategy: strategy('plus', 'added'),
  updateStrategy: strategy('pencil', 'edited'),
  deleteStrategy: strategy('trash', 'deleted'),
  updateMilestoneStrategy: strategy('pencil', 'edited in a milestone'),
  patchVariant: fixed('split', 'Variants', 'replaced'),
  reorderStrategy: fixed('list', 'Strategies', 'put in another order'),
  addDependency: (payload) => ({ icon: 'split', what: `Parent ${quoted(textIn(payload, 'feature'))}`, how: 'added' }),
  deleteDependency: (payload) => {
    const parent = textIn(payload, 'feature')
    return { icon: 'split', what: parent ? `Parent ${quoted(parent)}` : 'All parents', how: 'removed' }
  },
  updateSegment: segment('pencil', 'edited in all environments'),
  deleteSegment: segment('trash', 'deleted in all environments'),
  addReleasePlan: fixed('plus', 'Release plan', 'added'),
  deleteReleasePlan: fixed('trash', 'Release plan', 'deleted'),
  startMilestone: fixed('flag', 'Milestone', 'started'),
  changeMilestoneProgression: fixed('pencil', 'Milestone progression', 'changed'),
  deleteMilestoneProgression: fixed('trash', 'Milestone progression', 'deleted'),
  resumeMilestoneProgression: fixed('flag', 'Milestone progressions', 'resumed'),
  changeReleasePlanSafeguard: fixed('pencil', 'Safeguard of a release plan', 'changed'),
  deleteReleasePlanSafeguard: fixed('trash', 'Safeguard of a release plan', 'deleted'),
  changeFeatureEnvSafeguard: fixed('pencil', 'Safeguard', 'changed'),
  deleteFeatureEnvSafeguard: fixed('trash', 'Safeguard', 'deleted'),
  changeSafeguard: fixed('pencil', 'Safeguard', 'changed'),
  deleteSafeguard: fixed('trash', 'Safeguard', 'deleted'),
}

/**
 * What a change does to what. An unknown action keeps its own name.
 *
 * @param target The strategy or segment as it is, or as it will be; it knows names that the payload leaves out.
 */
export function changeWords({ action, payload, name = '' }: ProposedChange, target: Json = null): ChangeWords {
  const describe = Object.hasOwn(descriptions, action) ? descriptions[action] : undefined
  return describe ? describe(payload, target, name) : { icon: 'braces', what: action, how: '' }
}

/** The title of a strategy, else its kind, else its id. */
export function strategyName(payload: Json, target: Json): string {
  const title = [target, payload].map((one) => textIn(one, 'title')).find((one) => one.trim() !== '')
  if (title !== undefined) return title
  const kind = textIn(target, 'name') || textIn(payload, 'name')
  return kind === '' ? textIn(payload, 'id') : kindOf(kind)
}

function quoted(name: string): string {
  return `“${name}”`
}
