import type { ReviewView } from '../../../src/generated'
import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'
import { startHost } from '../support/host'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()

it('checks are shown with the requirements, in the head, on paper, and by what an emergency skips', async () => {
  const host = await startHost({
    checks: [
      { name: 'ci', description: 'Smoke tests on staging' },
      { name: 'lint', required: false },
    ],
  })
  const id = await host.approved(enable('checkout'), 'The new checkout')
  const { digest } = await host.call<ReviewView>('cara', 'GET', `${requestPath(id)}/review`)
  const report = { status: 'failed', digest, summary: '2 of 212 tests failed.', url: 'https://ci.example/runs/81' }
  await host.call('cara', 'PUT', `${requestPath(id)}/checks/ci`, report)
  const page = await browser.visit({ ...host.as('cara', requestPath(id)), viewport: { width: 320, height: 800 } })
  const { button, dialog, main } = requestScreen(page)
  const requirements = page.getByRole('region', { name: 'Requirements' })
  await expectText(requirements, /1 of 2 met/)
  await expectText(requirements, /ci\s*failed\s*Smoke tests on staging\s*2 of 212 tests failed\..*Cara Mori/s)
  await expectText(requirements, /lint\s*no report yet\s*Not required\./)
  const link = requirements.getByRole('link', { name: report.url })
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
  await expectText(main, /1 failed check/)
  await expectText(main, /Waits for checks: ci\./)
  expect(await button('Apply to production now').count()).toBe(0)
  expect(await findings(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)

  await page.emulateMedia({ media: 'print' })
  await expectText(page.getByRole('region', { name: 'Record' }), /ci: failed, by Cara Mori \(user 3\) 20.*2 of 212/)
  await page.emulateMedia({ media: 'screen' })
  await button('Apply in emergency…').click()
  await expectText(dialog, /You skip the check ci: failed\./)
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Nobody can pay since 10:40.')
  await button('Apply to production without review', dialog).click()
  await expectText(main, /with the check ci: “Nobody can pay/)
  await host.close()
})
