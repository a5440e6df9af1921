import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Express } from 'express'
import { enable, people } from '../../support/app'
import { type RawAnswer, sendRaw } from '../support/raw-request'

export type ExpressModule = typeof import('express')

/** By its folder, because in one of the two Jest projects the name `express` means Express 4. */
export const hosts: readonly { readonly host: string; readonly module: ExpressModule }[] = [
  { host: 'Express 5', module: require(join(__dirname, '../../../node_modules/express')) },
  { host: 'Express 4', module: require(join(__dirname, '../../../node_modules/express4')) },
]

export interface RunningHost {
  readonly port: number
  close(): Promise<void>
}

/** Listens on its own port. */
export async function listen(app: Express): Promise<RunningHost> {
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

type Headers = Readonly<Record<string, string>>

/** POSTs this body as Ann. */
export function propose({ port }: RunningHost, base: string, headers: Headers = {}, body?: string): Promise<RawAnswer> {
  return sendRaw(port, {
    path: `${base}/projects/shop/environments/production/change-requests`,
    headers: { Authorization: people.ann.key, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  })
}

/** GETs the log of the project as Ann. */
export function readLog({ port }: RunningHost, base: string, headers: Headers = {}): Promise<RawAnswer> {
  const path = `${base}/events?project=shop`
  return sendRaw(port, { method: 'GET', path, headers: { Authorization: people.ann.key, ...headers } })
}

/** A change as sent. */
export const oneChange = JSON.stringify(enable())
