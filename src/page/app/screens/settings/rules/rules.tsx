import type { ComponentChildren } from 'preact'
import type {
  ApprovalRuleView,
  CheckRuleView,
  EnvironmentSettingsView,
  FreezeView,
  RuleMode,
} from '../../../../../generated'
import { useQuery } from '../../../core/api/query'
import { client } from '../../../core/api/session'
import * as times from '../../../core/tools/times'
import { RichText } from '../../../parts/changes/rich-text'
import { EnvironmentName } from '../../../parts/marks/environment-mark'
import { From, list } from '../../../parts/marks/from'
import { Icon, type IconName } from '../../../parts/marks/icon'
import { Mark } from '../../../parts/marks/mark'
import { NotLoaded } from '../../../parts/messages/load-failed'
import { counted } from '../../../words/numbers'
import { isEnforced } from '../../../words/waits'
import { ruleWords } from './rule-words'

interface PlaceProps {
  readonly project: string
  readonly settings: readonly EnvironmentSettingsView[]
}

const rulesOfHost = { source: 'rules', load: (...at: Parameters<typeof client.rules>) => client.rules(...at) } as const

/** The approval rules in force. */
export function Rules(place: PlaceProps) {
  return (
    <OfHost
      {...place}
      id="rules"
      title="Rules in force"
      note="In addition to the approvals above."
      icon="users"
      none="No rules: only the number of approvals above is required."
      {...rulesOfHost}
      itemsOf={({ rules }) => rules}
    >
      {(rule: ApprovalRuleView) => (
        <>
          <RichText words={ruleWords(rule.when)} /> needs <b>{neededApprovals(rule)}</b> of <From from={rule.from} />.
        </>
      )}
    </OfHost>
  )
}

/** The checks in force. */
export function CheckList(place: PlaceProps) {
  return (
    <OfHost
      {...place}
      id="checks"
      title="Checks"
      note="Results of other systems that must pass before applying."
      icon="check"
      none="No checks."
      {...rulesOfHost}
      itemsOf={({ checks = [] }) => checks}
    >
      {({ when, from, required, description }: CheckRuleView) => (
        <>
          <RichText words={ruleWords(when)} /> {required ? 'needs it' : 'shows it'}, reported by{' '}
          <Reporters from={from} />.{!required && ' It is not required.'}
          {description !== null && (
            <>
              {' '}
              <bdi>{description}</bdi>
            </>
          )}
        </>
      )}
    </OfHost>
  )
}

function Reporters({ from }: Pick<CheckRuleView, 'from'>) {
  return from === null ? <>anyone who can report checks</> : <From from={from} />
}

/** The freezes that are in force or yet to come. */
export function FreezeList(place: PlaceProps) {
  return (
    <OfHost
      {...place}
      id="freezes"
      title="Freezes"
      note="Nothing is applied in them, except in an emergency."
      icon="paused"
      none="No freezes in force or to come."
      source="freezes"
      load={(...at) => client.freezes(...at)}
      itemsOf={({ freezes }) => freezes}
    >
      {({ when, from, until, reason }: FreezeView) => (
        <>
          <RichText words={ruleWords(when)} /> is frozen from <b>{times.dayAndTime(from)}</b>{' '}
          {until === null ? (
            'without an end yet'
          ) : (
            <>
              until <b>{times.dayAndTime(until)}</b>
            </>
          )}
          : <bdi>{reason}</bdi>
        </>
      )}
    </OfHost>
  )
}

function neededApprovals({ approvals }: ApprovalRuleView): string {
  return typeof approvals === 'number'
    ? counted(approvals, 'approval')
    : `${counted(approvals.aboveMinimum, 'approval')} more than the minimum`
}

interface Named {
  readonly name: string
  readonly mode: RuleMode
}

interface OfHostProps<Body, T extends Named> extends PlaceProps {
  readonly id: string
  readonly title: string
  readonly note: string
  readonly icon: IconName
  /** Where there are none. */
  readonly none: string
  /** What is loaded, once for all lists of it. */
  readonly source: 'rules' | 'freezes'
  readonly load: (...at: Parameters<typeof client.rules>) => Promise<{ readonly body: Body }>
  readonly itemsOf: (body: Body) => readonly T[]
  readonly children: (item: T) => ComponentChildren
}

/** What the options of the host app set, each once with the environments that have it. */
function OfHost<Body, T extends Named>({ project, settings, id, title, note, ...props }: OfHostProps<Body, T>) {
  const { icon, none, source, load, itemsOf, children } = props
  const names = settings.map(({ environment }) => environment)
  const loaded = useQuery([source, project, names], async (options) => {
    const found = names.map(async (name) => (await load(project, name, options)).body)
    return { body: await Promise.all(found) }
  })
  const { error } = loaded
  const data = loaded.data?.map(itemsOf)
  return (
    <section aria-labelledby={id}>
      <div class="sec-head">
        <h2 id={id}>{title}</h2>
        <span class="muted small">{note} Set in the options of the host app.</span>
      </div>
      {(error || !data) && <NotLoaded loaded={loaded} subject={`the ${id}`} />}
      {data !== undefined && (
        <ul class="panel rules lines edge">
          {merge(data, settings).map(({ item, environments }) => (
            <li key={JSON.stringify([item, environments.length])}>
              <Icon name={icon} />
              <div class="flow">
                <h3>
                  <bdi>{item.name}</bdi>
                </h3>
                {!isEnforced(item) && <Mark tone="plain">On trial, does not block</Mark>}
              </div>
              <span class="end flow">
                {environments.length === settings.length ? (
                  <span class="muted small">every environment</span>
                ) : (
                  <span class="small">
                    {list(
                      environments.map((one) => (
                        <EnvironmentName key={one.environment} name={one.environment} type={one.type} />
                      )),
                      'and',
                    )}
                  </span>
                )}
              </span>
              <p class="soft">{children(item)}</p>
            </li>
          ))}
          {data.flat().length === 0 && <li class="none soft">{none}</li>}
        </ul>
      )}
    </section>
  )
}

function merge<T>(lists: readonly (readonly T[])[], settings: readonly EnvironmentSettingsView[]) {
  const merged = new Map<string, { readonly item: T; readonly environments: EnvironmentSettingsView[] }>()
  for (const [index, environment] of settings.entries()) {
    for (const item of lists[index] ?? []) {
      const key = JSON.stringify(item)
      const one = merged.get(key) ?? { item, environments: [] }
      one.environments.push(environment)
      merged.set(key, one)
    }
  }
  return [...merged.values()]
}
