import { type ApiKey, apiKeys, memoryStorage } from '../../../src'
import { describeHttp } from '../../../src/testing'
import { blocks, readText, section } from '../../package/support/markdown'
import { startApp } from '../../support/app'
import { isNightly } from '../../support/nightly'

const guide = blocks(section(readText('docs/mounting.md'), '## Test your mount'))
const keys = new Function(`${guide[0]?.text ?? ''}; return keys`)() as readonly ApiKey[]
const as = (name: string) => ({ Authorization: `user:${name}` })

let count = 0
/** The gate runs some of the rules. */
const some = (title: string, run: () => unknown) => {
  count += 1
  if (isNightly || count % 10 === 0) it(title, run as () => Promise<void>)
}

/** @see docs/mounting.md, "Test your mount" */
describeHttp({ describe, it: some, expect }, async () => {
  const app = await startApp({ storage: memoryStorage(), authenticate: apiKeys(keys), recordOnly: true })
  return {
    url: `http://127.0.0.1:${app.port}/api/admin`,
    callers: {
      author: as('author'),
      reviewer: as('reviewer'),
      reviewer2: as('reviewer2'),
      admin: as('admin'),
      reader: as('reader'),
      nobody: as('nobody'),
      token: as('token'),
    },
    project: 'contract',
    environment: 'development',
    otherProject: 'default',
    feature: 'contract-flag',
    close: () => app.close(),
  }
})
