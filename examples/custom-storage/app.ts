import express from 'express'
import { type ChangeRequestRouterOptions, createChangeRequestRouter } from 'express-change-requests'
import { lmdbStorage } from './lmdb-storage'

/** An app with the router, on an LMDB store in the folder. */
export async function createApp(path: string, options: Omit<ChangeRequestRouterOptions, 'storage'>) {
  const router = createChangeRequestRouter({ ...options, storage: lmdbStorage({ path }) })
  await router.migrate()
  return { app: express().use(router), close: () => router.close() }
}
