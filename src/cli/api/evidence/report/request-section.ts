import type { PersonView } from '../../../../generated/index'
import type { People } from '../people'
import type { ZonedClock } from '../period'
import type { RequestLine } from '../source'
import { type Html, html } from './html'

/** Everything about one change request. */
export function requestSection(line: RequestLine, clock: ZonedClock, people: People): Html {
  const { id, title, project, environment, state, createdAt, author, ended, schedule, emergency } = line
  const time = (instant: string) => timeOf(instant, clock)
  const by = (one: PersonView) => people.describe(one)
  const approvals = line.votes.filter(({ kind }) => kind === 'approval')
  const facts: readonly (readonly [name: string, value: Html | string | null])[] = [
    ['State', state],
    ['Project', `${project}, ${environment}`],
    ['Author', `${by(author)}${author.kind === 'person' ? '' : `, ${author.kind}`}`],
    ['Created', time(createdAt)],
    [
      'Approved by',
      list(
        approvals.map(
          ({ person, at, counted }) => html`${by(person)} ${time(at)}${counted === false && ', did not count'}`,
        ),
      ),
    ],
    [
      'Voided approvals',
      list(line.voidedApprovals.map((one) => html`${by(one.by)}: ${one.cause} ${one.at && time(one.at)}`)),
    ],
    [
      'Required',
      list((line.requirements ?? []).map(({ name, approvals, given }) => html`${name}: ${given} of ${approvals}`)),
    ],
    ['Checks', list(line.checks.map(({ name, status }) => html`${name}: ${status ?? 'no report'}`))],
    ['Custom fields', list(line.customFields.map(({ name, value }) => html`${name}: ${String(value)}`))],
    [
      'Objections',
      list(
        line.objections.map(
          ({ person, at, text, ended }) =>
            html`${by(person)} ${time(at)}: ${text}${ended && html` (${ended.how} by ${by(ended.by)} ${time(ended.at)}${ended.reason && html`: ${ended.reason}`})`}`,
        ),
      ),
    ],
    ['Scheduled', schedule && html`${time(schedule.scheduledAt)}, ${schedule.status}`],
    [
      'Emergency',
      emergency &&
        html`${emergency.reason} ${
          emergency.acknowledgedBy === null || emergency.acknowledgedAt === null
            ? 'Not acknowledged.'
            : html`Acknowledged by ${by(emergency.acknowledgedBy)} ${time(emergency.acknowledgedAt)}.`
        }`,
    ],
    [ended?.state ?? '', ended && html`${time(ended.at)} by ${by(ended.by)}${ended.scheduled && ', as scheduled'}`],
    [
      'Changes',
      list(
        line.changes.map(
          ({ action, feature, payload }) => html`${action} ${feature}<pre>${JSON.stringify(payload)}</pre>`,
        ),
      ),
    ],
    [
      'Comments',
      list(line.discussion.map((one) => html`${by(one.author)} ${time(one.createdAt)}: ${one.text ?? 'deleted'}`)),
    ],
    ['Events', line.events.join(', ')],
  ]
  return html`<section class="request" id="request-${id}">
<h2>${title.endsWith(`#${id}`) ? title : `#${id} ${title}`}</h2>
<dl class="facts">
${facts.map(
  ([name, value]) =>
    value &&
    html`<dt>${name}</dt><dd>${value}</dd>
`,
)}</dl>
</section>
`
}

export function timeOf(instant: string, clock: ZonedClock): Html {
  return html`<time class="time" datetime="${instant}">${clock.time(instant)}</time>`
}

function list(items: readonly Html[]): Html | null {
  return items.length === 0 ? null : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`
}
