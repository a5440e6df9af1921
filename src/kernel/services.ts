import type { ApprovalRules } from '../domain/approval/approval-rule'
import type { NewChange } from '../domain/change-request'
import type { ChangeLimits, CommentLimits } from '../domain/content/size'
import type { RecordedEvent } from '../generated/index'
import type { Authorize } from '../ports/access'
import type { Directory } from '../ports/directory'
import type { FlagGateway } from '../ports/flags'
import type { Logger } from '../ports/logger'
import type { Playground } from '../ports/playground'
import type { Storage } from '../ports/storage'
import type { UserDirectory } from '../ports/users'
import type { Validate } from '../ports/validate'
import type { AggregateWriter } from './writer/aggregate-writer'

/** What the operations work with: the host's ports and the settings of the router. */
export interface Services {
  readonly storage: Storage
  readonly writer: AggregateWriter
  readonly authorize: Authorize
  readonly directory: Directory
  readonly users: UserDirectory | null
  readonly flags: FlagGateway | null
  readonly validate: Validate | null
  readonly playground: Playground | null
  readonly approvalRules: ApprovalRules
  readonly logger: Logger
  /** Warns of a fault of the host that every request would meet: once for each hook. */
  readonly warnOnce: (hook: string, message: string) => void
  readonly clock: () => Date
  /** @throws BadDataError unless it is an event of a known type and shape. */
  readonly parseEvent: (event: unknown) => RecordedEvent
  /** True for a change that may be proposed: its payload fits the schema of its action, which the gateway supports. */
  readonly accepts: (change: NewChange) => boolean
  /** Tells the runner of this process that something was scheduled. */
  readonly onScheduled?: () => void
  readonly settings: {
    readonly changeRequestsEnabled: boolean
    readonly requiredApprovals: number
    readonly changesPerChangeRequest: number
    readonly changesBytes: number
    readonly targetsBytes: number
    readonly commentsPerChangeRequest: number
    readonly commentsBytes: number
    /** The time limit of a hook of the host. */
    readonly hookTimeoutMs: number
    /** Begins the links in the summaries of events. */
    readonly linkBase: string
    readonly gravatar: boolean
    readonly recordIp: boolean
    readonly adminSelfApproval: boolean
    /** Whether an approval counts only while its giver may approve. */
    readonly recheckApprovers: boolean
    readonly emergency: boolean
    readonly overwrites: 'refuse' | 'allow'
    /** Whether segments may be changed that belong to other projects as well. */
    readonly globalSegments: boolean
    /** Whether a vote and an application must name what they decide on. */
    readonly requireRevision: boolean
    readonly editDetails: 'author' | 'anyone'
    /** Without a gateway: Applied is a record, for hosts that follow the log. */
    readonly recordOnly: boolean
    /** An application without an outcome counts as broken off after this time. */
    readonly applyTimeoutMs: number
    /** Whether anything carries schedules out: this process, or another one. */
    readonly schedule: 'off' | 'here' | 'elsewhere'
    /** What is later than this is suspended. */
    readonly scheduleGraceMs: number
  }
}

type Settings = Services['settings']

/** How many comments a change request takes. */
export function commentLimitsOf({ commentsPerChangeRequest, commentsBytes }: Settings): CommentLimits {
  return { comments: commentsPerChangeRequest, bytes: commentsBytes }
}

/** How much a change request may hold. */
export function changeLimitsOf({ changesPerChangeRequest, changesBytes, targetsBytes }: Settings): ChangeLimits {
  return { changes: changesPerChangeRequest, bytes: changesBytes, targetsBytes }
}

/** Logs the first warning about each hook, and no further one. */
export function createWarnOnce(logger: Logger): Services['warnOnce'] {
  const warned = new Set<string>()
  return (hook, message) => {
    if (warned.has(hook)) return
    warned.add(hook)
    logger.warn({ hook }, message)
  }
}

/** The present time as it is stored and served. */
export function now({ clock }: Pick<Services, 'clock'>): string {
  return clock().toISOString()
}
