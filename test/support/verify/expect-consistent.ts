import type { Storage } from '../../../src/ports/storage/storage'
import { type VerifyOptions, type VerifyResult, verifyStorage } from '../../../src/verify/verify-storage'

/** Fails with the first findings of `verifyStorage`, if there are any. */
export async function expectConsistent(storage: Storage, options: VerifyOptions = {}): Promise<VerifyResult> {
  const result = await verifyStorage(storage, options)
  const lines = result.findings.map(
    ({ code, id, expected, found }) => `${code} ${id}: expected ${expected}; found ${found}`,
  )
  if (result.total > 0) throw new Error(`${result.total} findings of verifyStorage:\n${lines.slice(0, 20).join('\n')}`)
  return result
}
