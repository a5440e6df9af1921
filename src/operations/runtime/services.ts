import type { ChangeLimits, CommentLimits } from '../../domain/content/size'
import type { RecordedEvent } from '../../generated/index'
import type { Authorize } from '../../ports/access'
import type { Directory } from '../../ports/directory'
import type { FlagGateway } from '../../ports/flags'
import type { Logger } from '../../ports/logger'
import type { Storage } from '../../ports/storage'
import type { UserDirectory } from '../../ports/users'
import type { AggregateWriter } from './aggregate-writer'

/** What the operations work with: the host's ports and the settings of the router. */
export interface Services {
  readonly storage: Storage
  readonly writer: AggregateWriter
  readonly authorize: Authorize
  readonly directory: Directory
  readonly users: UserDirectory | null
  readonly flags: FlagGateway | null
  readonly logger: Logger
  /** Warns of a fault of the host that every request would meet; of each hook the first warning is logged. */
  readonly warnOnce: (hook: string, message: string) => void
  readonly clock: () => Date
  /** @throws BadDataError for what is no event of the known types and shapes. */
  readonly parseEvent: (event: unknown) => RecordedEvent
  readonly settings: {
    readonly changeRequestsEnabled: boolean
    readonly requiredApprovals: number
    readonly changesPerChangeRequest: number
    readonly changesBytes: number
    readonly commentsPerChangeRequest: number
    readonly commentsBytes: number
    /** A hook of the host that takes longer is given up. */
    readonly hookTimeoutMs: number
    /** Begins the links in the summaries of events. */
    readonly linkBase: string
    readonly gravatar: boolean
    readonly recordIp: boolean
    readonly adminSelfApproval: boolean
    /** Whether a vote and an application must name what they decide on. */
    readonly requireRevision: boolean
    readonly editDetails: 'author' | 'anyone'
    /** Without a gateway: Applied is a record, for hosts that follow the log. */
    readonly recordOnly: boolean
    /** After this long an application without an outcome is taken for broken off. */
    readonly applyTimeoutMs: number
  }
}

type Settings = Services['settings']

/** How much may be said about a change request. */
export function commentLimitsOf({ commentsPerChangeRequest, commentsBytes }: Settings): CommentLimits {
  return { comments: commentsPerChangeRequest, bytes: commentsBytes }
}

/** How much a change request may hold. */
export function changeLimitsOf({ changesPerChangeRequest, changesBytes }: Settings): ChangeLimits {
  return { changes: changesPerChangeRequest, bytes: changesBytes }
}

/** For one router: what is wrong with a hook of its host is told once. */
export function createWarnOnce(logger: Logger): Services['warnOnce'] {
  const told = new Set<string>()
  return (hook, message) => {
    if (told.has(hook)) return
    told.add(hook)
    logger.warn({ hook }, message)
  }
}

/** The present time as it is stored and answered. */
export function now({ clock }: Pick<Services, 'clock'>): string {
  return clock().toISOString()
}
