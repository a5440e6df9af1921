import type { EventView, ObjectionView } from '../../../../generated'
import type { Loaded } from '../../core/api/query'
import { useMe } from '../../core/api/session'
import { nameOf, type SomePerson } from '../../parts/marks/person'
import { usePrinting } from '../../parts/printing'
import type { RequestProps } from './use-request'

interface PrintedProps extends Pick<RequestProps, 'request' | 'review'> {
  readonly timeline: Pick<Loaded<readonly EventView[]>, 'data'>
}

type Fact = readonly [label: string, lines: readonly string[]]

/** On paper, the record: ids, digests and all times in UTC, who printed it and when. */
export function Printed(props: PrintedProps) {
  const me = useMe()
  if (!usePrinting()) return null
  const printed: Fact = ['Printed', [`${at(new Date().toISOString())} by ${who(me)}`, window.location.href]]
  return (
    <section class="panel side edge" aria-labelledby="record">
      <h2 id="record">Record</h2>
      <dl class="facts lines small">
        {[...factsOf(props), printed]
          .filter(([, lines]) => lines.length > 0)
          .map(([label, lines]) => (
            <div key={label}>
              <dt class="soft">{label}</dt>
              <dd>
                {lines.map((line) => (
                  <p key={line}>
                    <bdi>{line}</bdi>
                  </p>
                ))}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

const at = (iso: string | null) => (iso ?? 'at an unknown time').replace('T', ' ').replace('Z', ' UTC')

const who = (person: SomePerson) => `${nameOf(person)} (user ${person.id})`

function factsOf({ request, review, timeline }: PrintedProps): readonly Fact[] {
  const { emergency, ended } = review
  const schedule = 'schedule' in request ? request.schedule : undefined
  return [
    ['Change request', [`#${request.id} of ${request.project}, ${request.environment}`]],
    ['Author', [who(request.createdBy)]],
    ['Revision', [review.revision]],
    ['Digest', [review.digest ?? 'unknown, because the flags could not be read']],
    ['States', Object.entries(request.stateTimestamps ?? {}).map(([state, time]) => `${state} ${at(time)}`)],
    [
      'Requirements',
      review.requirements.map(({ name, given, approvals }) => `${name}: ${given ?? 'unknown'} of ${approvals}`),
    ],
    [
      'Votes',
      [
        ...review.votes.map((vote) => {
          const counts = vote.current ? 'counts' : 'no longer counts'
          return `${who(vote.person)} approved ${at(vote.at)}, ${counts}, digest ${vote.digest ?? 'unknown'}`
        }),
        ...request.rejections.map((vote) => `${who(vote.createdBy)} rejected ${at(vote.createdAt)}`),
        ...review.voidedApprovals.map((vote) => {
          return `The approval of ${who(vote.by)} became void ${at(vote.at)}: ${vote.cause}${vote.causedBy ? ` by ${who(vote.causedBy)}` : ''}`
        }),
      ],
    ],
    ['Objections', (review.objections ?? []).map(objectionLine)],
    [`Objections of #${review.copiedFrom?.id}`, (review.copiedFrom?.objections ?? []).map(objectionLine)],
    [
      'Schedule',
      schedule
        ? [`${at(schedule.scheduledAt)}, ${schedule.status}${'reason' in schedule ? `: ${schedule.reason}` : ''}`]
        : [],
    ],
    ['End', ended ? [`${ended.state} ${at(ended.at)} by ${who(ended.by)}`] : []],
    [
      'Emergency',
      emergency
        ? [
            emergency.reason,
            emergency.acknowledgedBy ? `acknowledged by ${who(emergency.acknowledgedBy)}` : 'not acknowledged',
          ]
        : [],
    ],
    [
      'Changes',
      review.changes.map(({ id, feature, action, author, digest }) => {
        return `${id}: ${action} ${feature ?? ''}, by ${who(author)}, digest ${digest}`
      }),
    ],
    [
      'Comments',
      review.discussion.map(({ id, createdBy, createdAt, editedAt, resolved, deleted }) =>
        [
          `${id}: ${who(createdBy)} ${at(createdAt)}`,
          ...(editedAt === null ? [] : [`edited ${at(editedAt)}`]),
          ...(resolved === null ? [] : [`resolved ${at(resolved.at)} by ${who(resolved.by)}`]),
          ...(deleted === null ? [] : [`deleted ${at(deleted.at)} by ${who(deleted.by)}`]),
        ].join(', '),
      ),
    ],
    [
      'Events of the log',
      timeline.data?.map(({ id, type, createdAt, createdBy }) => `${id}: ${type} ${at(createdAt)} by ${createdBy}`) ?? [
        'could not be read',
      ],
    ],
  ]
}

function objectionLine({ id, person, at: since, text, outdated, ended }: ObjectionView): string {
  const end = ended
    ? `${ended.how} ${at(ended.at)} by ${who(ended.by)}${ended.reason === null ? '' : `: ${ended.reason}`}`
    : 'open'
  return `${id}: ${who(person)} ${at(since)}${outdated ? ', outdated' : ''}, ${end}. ${text}`
}
