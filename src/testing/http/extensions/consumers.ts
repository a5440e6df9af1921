import { errorOf, succeeded } from '../api'
import { must, type RuleGroup } from '../rule'

/** @see contract 19 */
export const consumers: RuleGroup = {
  title: 'consumers of the log',
  rules: [
    must('CR-486', 'list the consumers for an admin, and for nobody else', async (api, expect) => {
      const { body } = succeeded(await api.send('admin', 'GET', '/consumers'))
      expect(Array.isArray(body.consumers)).toBe(true)
      for (const who of ['author', 'reviewer', 'reader'] as const) {
        expect(errorOf(await api.send(who, 'GET', '/consumers'))).toEqual([403, 'PermissionError'])
      }
    }),

    must('CR-487', 'reject a retry of an unknown consumer, and of a caller who is no admin', async (api, expect) => {
      const path = '/consumers/unknown-to-this-server/retry'
      expect(errorOf(await api.send('admin', 'POST', path))).toEqual([404, 'NotFoundError'])
      expect(errorOf(await api.send('reviewer', 'POST', path))).toEqual([403, 'PermissionError'])
    }),
  ],
}
