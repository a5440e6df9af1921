import type { ApprovalRuleView, EnvironmentSettingsView } from '../../../../../generated'
import { useQuery } from '../../../core/api/query'
import { client } from '../../../core/api/session'
import { RichText } from '../../../parts/changes/rich-text'
import { EnvironmentName } from '../../../parts/marks/environment-mark'
import { From, list } from '../../../parts/marks/from'
import { Icon } from '../../../parts/marks/icon'
import { NotLoaded } from '../../../parts/messages/load-failed'
import { Empty } from '../../../parts/messages/notice'
import { ruleWords } from './rule-words'

interface RulesProps {
  readonly project: string
  readonly settings: readonly EnvironmentSettingsView[]
}

interface RuleInForce {
  readonly rule: ApprovalRuleView
  readonly environments: readonly EnvironmentSettingsView[]
}

/** The approval rules in force, each once with the environments that have it. */
export function Rules({ project, settings }: RulesProps) {
  const names = settings.map(({ environment }) => environment)
  const loaded = useQuery(['rules', project, names], async (options) => {
    return {
      body: await Promise.all(names.map(async (name) => (await client.rules(project, name, options)).body.rules)),
    }
  })
  const { data, error } = loaded
  const rules = data === undefined ? [] : merge(data, settings)
  return (
    <section aria-labelledby="rules">
      <div class="sec-head">
        <h2 id="rules">Rules in force</h2>
        <span class="muted small">In addition to the approvals above; set by the host app, not here</span>
      </div>
      {(error || !data) && <NotLoaded loaded={loaded} subject="the rules" />}
      {data !== undefined && (
        <ul class="panel rules lines edge">
          {rules.map((one) => (
            <Rule
              key={JSON.stringify([one.rule, one.environments.length])}
              {...one}
              everywhere={one.environments.length === settings.length}
            />
          ))}
          {rules.length === 0 && (
            <li class="none">
              <Empty icon="users" title="No rules">
                Only the number of approvals above is required.
              </Empty>
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

function Rule({ rule, environments, everywhere }: RuleInForce & { readonly everywhere: boolean }) {
  return (
    <li>
      <Icon name="users" />
      <h3>
        <bdi>{rule.name}</bdi>
      </h3>
      <span class="end flow">
        {everywhere ? (
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
      <p class="soft">
        <RichText words={ruleWords(rule.when)} /> needs{' '}
        <b>{rule.approvals === 1 ? '1 approval' : `${rule.approvals} approvals`}</b> of <From from={rule.from} />.
      </p>
    </li>
  )
}

function merge(
  rules: readonly (readonly ApprovalRuleView[])[],
  settings: readonly EnvironmentSettingsView[],
): RuleInForce[] {
  const merged = new Map<string, { rule: ApprovalRuleView; environments: EnvironmentSettingsView[] }>()
  for (const [index, environment] of settings.entries()) {
    for (const rule of rules[index] ?? []) {
      const one = merged.get(JSON.stringify(rule)) ?? { rule, environments: [] }
      one.environments.push(environment)
      merged.set(JSON.stringify(rule), one)
    }
  }
  return [...merged.values()]
}
