import type { CheckView } from '../../../../generated'
import { Icon } from '../../parts/marks/icon'
import { MachineMark } from '../../parts/marks/machine-mark'
import { PersonName } from '../../parts/marks/person'
import { checkIcon, statusWords } from '../../words/checks'
import { isEnforced } from '../../words/waits'
import { Linked, When } from './comment'

/** The checks with their last reports for the content on the screen. */
export function Checks({ checks }: { readonly checks: readonly CheckView[] }) {
  return (
    <ul class="reqs lines" aria-label="Checks">
      {checks.map(({ name, description, required, mode, status, summary, url, reportedBy, reportedAt }) => (
        <li
          key={name}
          class={
            status === 'passed' ? 'met' : isEnforced({ mode }) ? (status === 'failed' ? 'never' : 'unmet') : 'trial'
          }
        >
          <div class="line">
            <Icon name={checkIcon(status)} />
            <bdi>{name}</bdi>
            <span class="end">{statusWords(status)}</span>
          </div>
          {!isEnforced({ mode }) && <p class="muted small">On trial, does not block.</p>}
          {!required && <p class="muted small">Not required.</p>}
          {description !== null && (
            <p class="muted small">
              <bdi>{description}</bdi>
            </p>
          )}
          {summary !== null && (
            <p class="soft small">
              <bdi>{summary}</bdi>
            </p>
          )}
          {url !== null && (
            <p class="small">
              <Linked text={url} />
            </p>
          )}
          {reportedBy !== null && reportedAt !== null && (
            <p class="soft small">
              <PersonName person={reportedBy} />
              <MachineMark author={reportedBy} /> · <When at={reportedAt} />
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
