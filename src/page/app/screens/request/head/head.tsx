import { PageTitle } from '../../../core/places/title'
import { isProduction, reachOf } from '../../../core/tools/production'
import * as times from '../../../core/tools/times'
import { EnvironmentMark, ProductionBand } from '../../../parts/marks/environment-mark'
import { MachineMark } from '../../../parts/marks/machine-mark'
import { PersonName } from '../../../parts/marks/person'
import { isClosed } from '../../../parts/marks/state-traits'
import { useRequestContext } from '../model/context'
import { Path } from './path'
import { EditTitle } from './title'

/** Where it happens, what it is called, and where it stands. */
export function Head() {
  const { latest } = useRequestContext()
  const { request } = latest
  const { project, title, id } = request
  const reach = reachOf(request)
  return (
    <header class="panel req-head edge">
      {!isClosed(request.state) && <ProductionBand name={reach} />}
      <div class="req-head-in">
        <div class="req-where">
          <EnvironmentMark name={reach} big />
          <span>
            of{' '}
            <b>
              <bdi>{project}</bdi>
            </b>
            {isProduction(reach) && ' · live for all users'}
          </span>
          <Byline />
        </div>
        <EditTitle title={title}>
          <PageTitle title={`#${id} ${title}`}>
            <bdi>{title}</bdi>
          </PageTitle>
          <span class="id">#{id}</span>
        </EditTitle>
      </div>
      <Path />
    </header>
  )
}

function Byline() {
  const { latest } = useRequestContext()
  const { request, review } = latest
  const since = request.stateTimestamps?.[request.state]
  const { state } = request
  return (
    <p class="byline">
      <span>
        by{' '}
        <b>
          <PersonName person={request.createdBy} />
        </b>
        <MachineMark author={review.author} />, {times.day(request.createdAt)}
      </span>
      {review.ended && (
        <span>
          {state.toLowerCase()} by{' '}
          <b>
            <PersonName person={review.ended.by} />
          </b>
        </span>
      )}
      {since && state === 'Scheduled' && <span>scheduled {times.ago(since)}</span>}
      {since && state !== 'Scheduled' && !isClosed(state) && (
        <span>
          {state === 'Draft' ? 'a draft' : state.toLowerCase()} for{' '}
          {Date.now() - Date.parse(since) < 60_000 ? 'less than a minute' : times.age(since)}
        </span>
      )}
    </p>
  )
}
