import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ClientError } from '../../client/index'
import { closedStates } from '../../domain/lifecycle'
import type { ChangeRequestView, ReviewView, SubmittedChange } from '../../generated/index'
import { type Command, type ProcessIo, parseOptions, UsageError } from '../command'
import {
  type Api,
  apiHelp,
  apiOptions,
  exitCodes,
  exitHelp,
  openApi,
  type Place,
  requireProject,
  withApiErrors,
} from './api'
import { parseFields, setFields } from './fields'
import { createReport, type Report, stateLine, waitsForCheck } from './report'
import { Deadline, parseDuration, readReview, requireDigest, TimeoutError, waitUntil } from './wait'

const options = {
  ...apiOptions,
  environment: { type: 'string' },
  file: { type: 'string' },
  title: { type: 'string' },
  field: { type: 'string', multiple: true },
  submit: { type: 'boolean' },
  wait: { type: 'string' },
  apply: { type: 'boolean' },
  add: { type: 'boolean' },
  'idempotency-key': { type: 'string' },
} as const

type Values = ReturnType<typeof parseOptions<typeof options>>['values']

export const propose: Command = {
  help: `express-change-requests propose --project shop --environment production --file changes.json

${apiHelp}  --environment <name>   the environment that is changed
  --file <file>          a change or a list of changes as JSON, as POST takes it; - for stdin
  --title <text>         the title of the change request
  --field <name=value>   sets a custom field; repeat it for several
  --submit               submits it for review
  --wait <duration>      waits for the decision, at most 90s, 20m or 2h
  --apply                applies it, if it still has the proposed content
  --add                  adds to your open change request there; otherwise an open one is exit code 5
  --idempotency-key <k>  default: a hash of the file, the project, the environment and the CI job, so
                         that a job that runs again within a day proposes once

${exitHelp}`,
  async run(args, io) {
    const { values, positionals } = parseOptions(args, options)
    if (positionals.length > 0) throw new UsageError('propose takes only options. Set the changes with --file.')
    const proposal = await readProposal(values, io)
    const fields = parseFields(values.field ?? [])
    const deadline = new Deadline(values.wait === undefined ? undefined : parseDuration(values.wait))
    const api = openApi(values, io)
    const report = createReport(io, api, values.json)
    return withApiErrors(
      io,
      () => new Proposal({ values, fields, io, api, report, deadline }).run(proposal),
      proposal.changes,
    )
  },
}

type ReadProposal = Awaited<ReturnType<typeof readProposal>>

async function readProposal(values: Values, io: ProcessIo) {
  const project = requireProject(values)
  const { environment, file, 'idempotency-key': key } = values
  if (!environment) throw new UsageError('Set the environment with --environment.')
  if (!file) throw new UsageError('Set the file with the changes with --file, or --file - for stdin.')
  const text = await readText(file, io)
  const idempotencyKey = key ?? defaultKey([text, project, environment], io)
  return { project, environment, changes: parseChanges(text), idempotencyKey }
}

async function readText(file: string, io: ProcessIo): Promise<string> {
  try {
    return file === '-' ? await io.input() : readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--file: ${(error as Error).message}`)
  }
}

/** The router checks the changes themselves. */
function parseChanges(text: string) {
  let changes: unknown
  try {
    changes = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`--file is not JSON: ${(error as Error).message}`)
  }
  if (typeof changes !== 'object' || changes === null) {
    throw new UsageError('--file must contain a change or a list of changes.')
  }
  return changes as SubmittedChange | readonly SubmittedChange[]
}

/** The same for each run of one CI job. */
function defaultKey(parts: readonly string[], { env }: ProcessIo): string {
  const job = [env.GITHUB_SHA ?? env.CI_COMMIT_SHA, env.GITHUB_RUN_ID ?? env.CI_PIPELINE_ID].map((part) => part ?? '')
  return hash('sha256', JSON.stringify([...parts, ...job]), 'hex')
}

const proposeAgain = 'To propose it again, set another --idempotency-key.'

interface ProposalContext {
  readonly values: Values
  readonly fields: ReadonlyMap<string, string>
  readonly io: ProcessIo
  readonly api: Api
  readonly report: Report
  readonly deadline: Deadline
}

class Proposal {
  readonly #context: ProposalContext
  #place: Place | undefined
  #review: ReviewView | undefined

  constructor(context: ProposalContext) {
    this.#context = context
  }

  async run(proposal: ReadProposal): Promise<number> {
    const { io, report } = this.#context
    try {
      return await this.#steps(proposal)
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
      io.error('The change request is not decided yet, or the server cannot be reached. The timeout is over.\n')
      return exitCodes.waiting
    } finally {
      if (this.#place !== undefined) report.result(this.#place, this.#review)
    }
  }

  async #steps({ project, environment, changes, idempotencyKey }: ReadProposal): Promise<number> {
    const { values, io, api, report, deadline } = this.#context
    const unlessOpen = values.add ? {} : { ifNoneMatch: '*' as const }
    let body: ChangeRequestView
    try {
      const conditions = { ...unlessOpen, idempotencyKey }
      const send = (signal: AbortSignal) =>
        api.client.propose({ project, environment }, changes, { ...conditions, signal })
      body = (await deadline.retry(send)).body
    } catch (error) {
      // The response to a repeated proposal is the change request of the first one, or that there is none any more.
      if (!(error instanceof ClientError) || !/^There is no change request \d/.test(error.message)) throw error
      io.error(`It was proposed with this idempotency key before, and discarded. ${proposeAgain}\n`)
      return exitCodes.ended
    }
    const place = { project, id: body.id }
    this.#place = place
    if (closedStates.includes(body.state)) {
      this.#review = await readReview(api.client, place)
      io.error(`#${body.id} was proposed with this idempotency key before, and is ${body.state}. ${proposeAgain}\n`)
      return body.state === 'Applied' ? exitCodes.done : exitCodes.ended
    }
    await this.#finishDraft(place, body)
    // What is applied is what was proposed: an edit after this changes the digest.
    const digest = await deadline.retry(async (signal) => {
      this.#review = await readReview(api.client, place, signal)
      return this.#review && requireDigest(this.#review)
    })
    if (values.wait !== undefined) {
      this.#review = await waitUntil((review) => isDecided(review, values), { ...api, place, deadline, report })
    }
    if (this.#review !== undefined) report.progress(stateLine(this.#review))
    return this.#end(place, digest)
  }

  async #finishDraft(place: Place, { title, state }: ChangeRequestView): Promise<void> {
    const { values, fields, api, deadline } = this.#context
    if (values.title !== undefined && values.title !== title && state === 'Draft') {
      const wanted = values.title
      await deadline.retry((signal) => api.client.setTitle(place, wanted, { signal }))
    }
    await setFields(api, place, fields, deadline)
    if (!values.submit || state !== 'Draft') return
    await deadline.retry(async (signal) => {
      try {
        await api.client.setState(place, { state: 'In review' }, { signal })
      } catch (error) {
        // The response of an earlier attempt was lost.
        const review = isConflict(error) ? await readReview(api.client, place, signal) : undefined
        if (review === undefined || review.state === 'Draft') throw error
      }
    })
  }

  async #end(place: Place, digest: string | undefined): Promise<number> {
    const { values, io, api, report, deadline } = this.#context
    const review = this.#review
    if (review === undefined || (closedStates.includes(review.state) && review.state !== 'Applied')) {
      io.error(`#${place.id} was ${review === undefined ? 'discarded' : review.state.toLowerCase()}.\n`)
      return exitCodes.ended
    }
    if (!values.apply || review.state === 'Applied') return exitCodes.done
    await deadline.retry(async (signal) => {
      try {
        await api.client.setState(place, { state: 'Applied', ...(digest && { digest }) }, { signal })
      } catch (error) {
        const latest = isConflict(error) ? await readReview(api.client, place, signal) : undefined
        if (latest?.state !== 'Applied' || contentOf(latest) !== contentOf(review)) throw error
      }
    })
    this.#review = await readReview(api.client, place)
    report.progress(`#${place.id} Applied`)
    return exitCodes.done
  }
}

/** An edited change has a new id. */
function contentOf({ changes }: ReviewView): string {
  return changes.map(({ id }) => id).join()
}

function isConflict(error: unknown): boolean {
  return error instanceof ClientError && (error.status === 409 || error.status === 412)
}

/** A schedule is a decision too; with `--apply`, the schedule applies it, and an approved one can wait for a check. */
function isDecided(review: ReviewView, { apply }: Values): boolean {
  const { state } = review
  if (state === 'Approved') return !(apply && waitsForCheck(review))
  return closedStates.includes(state) || (state === 'Scheduled' && !apply)
}
