import { type OwnPostgres, type StopMode, startOwnPostgres } from './own-postgres'
import { startProxy, type TcpProxy } from './proxy'
import { until } from './server'

/** A primary and its standby, behind a proxy that leads to the primary. */
export interface ReplicatedPostgres {
  /** Changes with each failover. */
  readonly primary: OwnPostgres
  readonly standby: OwnPostgres
  readonly proxy: TcpProxy
  /** Whether commits wait for the standby; at the start they do not. Resolves when the standby has all commits. */
  synchronize(isSynchronous: boolean): Promise<void>
  /**
   * Ends or freezes the primary, awaits `whileDown` and promotes the standby. The old primary stays down, or frozen. Returns the
   * time of the end of the promotion, as performance.now() does.
   */
  failOver(mode: FailoverMode, whileDown?: () => Promise<void>): Promise<number>
  /** Makes the old primary the standby of the new one. */
  rebuild(): Promise<void>
  end(): Promise<void>
}

export type FailoverMode = StopMode | 'freeze'

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  // The standby asks again every 100 ms when the primary is away.
  const settings = ['wal_keep_size=128MB', 'wal_retrieve_retry_interval=100ms']
  let primary = await startOwnPostgres({ settings })
  let standby = await startOwnPostgres({ settings, primary })
  const proxy = await startProxy(new URL(primary.url))

  /** Resolves when the standby has everything that the primary has written until now. */
  async function caughtUp(): Promise<void> {
    const [position] = await primary.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn')
    await until(async () => {
      const rows = await standby.query<{ done: boolean }>(
        `select pg_last_wal_replay_lsn() >= '${position?.lsn}'::pg_lsn as done`,
      )
      return rows[0]?.done === true
    })
  }

  async function synchronize(isSynchronous: boolean): Promise<void> {
    await primary.query(`alter system set synchronous_standby_names = '${isSynchronous ? '*' : ''}'`)
    await primary.query('select pg_reload_conf()')
    await until(async () => {
      const rows = await primary.query<{ sync_state: string }>('select sync_state from pg_stat_replication')
      return rows.some(({ sync_state }) => sync_state === (isSynchronous ? 'sync' : 'async'))
    })
    await caughtUp()
  }

  return {
    get primary() {
      return primary
    },
    get standby() {
      return standby
    },
    proxy,
    synchronize,
    async failOver(mode, whileDown) {
      await (mode === 'freeze' ? primary.freeze() : primary.stop(mode))
      await whileDown?.()
      await standby.promote()
      const promoted = performance.now()
      proxy.pointAt(new URL(standby.url))
      ;[primary, standby] = [standby, primary]
      return promoted
    },
    async rebuild() {
      await standby.stop('kill')
      await standby.follow(primary)
    },
    async end() {
      proxy.close()
      await standby.end()
      await primary.end()
    },
  }
}
