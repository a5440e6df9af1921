import type { Page } from 'playwright-core'
import type { PersonName } from './people'
import { requestPath } from './request-screen'
import type { Showcase } from './showcase'

type Ready = (page: Page) => Promise<unknown>

export const heading =
  (name: RegExp): Ready =>
  (page) =>
    page.getByRole('heading', { level: 1, name }).waitFor()
export const text =
  (words: RegExp): Ready =>
  (page) =>
    page.getByText(words).filter({ visible: true }).first().waitFor()
const dialog =
  (name: string | RegExp): Ready =>
  async (page) => {
    await page.getByRole('button', { name }).first().click()
    await page.getByRole('dialog').waitFor()
  }

const developmentPath = '/projects/default/flags/checkout?environment=development'
const flagPath = '/projects/default/flags/checkout?environment=production'

/** Each screen in its states: the path, and how to wait for it. */
type Screen = readonly [name: string, address: (shown: Showcase) => string, ready: Ready, who?: PersonName]

export const screens: readonly Screen[] = [
  ['inbox', () => '', text(/Half of all searches/)],
  ['inbox, all', () => '/?needs=all', text(/Search is down/)],
  ['inbox, last applied', () => '/?needs=applied', text(/A little more checkout/), 'cara'],
  ['inbox, filters', () => '/?needs=all&feature=checkout&createdFrom=2026-01-01T00:00:00Z', openFilters],
  ['inbox, suspended', () => '/?needs=mine', text(/will not run|would overwrite|nothing was applied/), 'hal'],
  ['inbox, nothing found', () => '/?needs=all&query=xyzzy', text(/^Nothing|^No /)],
  ['schedule, four weeks', () => '/schedule?project=default', text(/^#\d+ A tenth in the dark/)],
  ['log', () => '/log', text(/requested a review/)],
  ['log, one event', () => '/log?feature=checkout', openEvent],
  ['log, export', () => '/log?feature=checkout', logMenu('Export')],
  ['log, days', () => '/log', logMenu('Days')],
  ['settings', () => '/settings', text(/^A change of a flag named pay\* needs/)],
  ['nowhere', () => '/no/such/place', heading(/./)],
  ['not there', () => requestPath(999), text(/not found/i)],
  ['request', ({ review }) => requestPath(review), heading(/Cards for many/)],
  ['request, its author', ({ review }) => requestPath(review), text(/^You are the author/), 'ann'],
  ['request, a reader', ({ review }) => requestPath(review), text(/^Next step/), 'eve'],
  ['keys', ({ review }) => requestPath(review), dialog('Keyboard shortcuts')],
  ['reject', ({ overwrite }) => requestPath(overwrite), dialog('Reject…')],
  ['overwrite', ({ overwrite }) => requestPath(overwrite), text(/Would undo/)],
  ['conflict', ({ conflict }) => requestPath(conflict), text(/Strategy has been deleted/)],
  ['suspended', ({ suspended }) => requestPath(suspended), text(/will not run on/)],
  ['emergency', ({ emergency }) => requestPath(emergency), text(/needs acknowledgement/)],
  ['ask reviewers', ({ review }) => requestPath(review), dialog('Ask reviewers…'), 'cara'],
  ['acknowledge', ({ emergency }) => requestPath(emergency), dialog('Acknowledge…')],
  ['applied', ({ applied }) => requestPath(applied), heading(/A little more checkout/)],
  ['approved', ({ approved }) => requestPath(approved), text(/Apply to/)],
  ['objection', ({ objected }) => requestPath(objected), text(/objected/)],
  ['own objection', ({ objected }) => requestPath(objected), text(/^Lift my objection/), 'dan'],
  ['object', ({ objected }) => requestPath(objected), dialog('Object…')],
  ['dismiss an objection', ({ objected }) => requestPath(objected), dialog('Dismiss…'), 'cara'],
  ['in emergency, objection', ({ objected }) => requestPath(objected), dialog('Apply in emergency…'), 'cara'],
  ['checks', ({ checked }) => requestPath(checked), text(/failed check/)],
  ['checks, their author', ({ checked }) => requestPath(checked), text(/^You are the author/), 'lea'],
  ['in emergency, check', ({ checked }) => requestPath(checked), dialog('Apply in emergency…'), 'cara'],
  ['schedule', ({ approved }) => requestPath(approved), dialog('Schedule…')],
  ['rebase', ({ overwrite }) => requestPath(overwrite), choose('Theirs'), 'fay'],
  ['draft', ({ draft }) => requestPath(draft), text(/^Send it to review/), 'kim'],
  ['fields', ({ draft }) => requestPath(draft), dialog('Fill in the fields…'), 'kim'],
  ['in emergency', ({ review }) => requestPath(review), dialog('Apply in emergency…'), 'cara'],
  ['revert', ({ applied }) => requestPath(applied), dialog('Revert now…'), 'cara'],
  ['revert, own open request', ({ applied }) => requestPath(applied), dialog('Revert now…'), 'kim'],
  ['switch a flag off', () => developmentPath, dialog('Switch off now…'), 'mia'],
  ['cancel', ({ overwrite }) => requestPath(overwrite), dialog('Cancel…'), 'fay'],
  ['discard', ({ draft }) => requestPath(draft), dialog('Discard…'), 'kim'],
  ['discard a change', ({ draft }) => requestPath(draft), dialog(/^Discard [^…]/), 'kim'],
  ['switch off', () => '/settings?project=default', switchOff, 'cara'],
  ['fewer approvals', () => '/settings?project=default', fewerApprovals, 'cara'],
  ['find a flag', () => '/new?project=default&environment=production', findFlag, 'mia'],
  ['own open request', () => flagPath, proposeAgain, 'kim'],
  ['segment', () => '/projects/default/segments/1?environment=production', text(/^Used by/), 'mia'],
  ['flag', () => flagPath, text(/^Open change requests/), 'eve'],
  ['flag, edited', () => flagPath, editRollout, 'mia'],
  ['propose an edit', () => flagPath, proposeEdit, 'mia'],
  ['edit a change', ({ draft }) => requestPath(draft), dialog(/^Edit /), 'kim'],
  ['rejected', ({ rejected }) => requestPath(rejected), text(/Not on a Friday/)],
]

/** Opens the screen as its user. */
export async function openScreen(
  page: Page,
  showcase: Showcase,
  [, address, ready, who = 'ben']: Screen,
  open: Ready = ready,
): Promise<void> {
  const { host } = showcase
  await page.context().addCookies([{ name: 'person', value: who, url: host.url() }])
  await page.goto(host.url(address(showcase)))
  await open(page)
}

function choose(name: string | RegExp): Ready {
  return (page) => page.getByRole('radio', { name }).check()
}

async function editRollout(page: Page): Promise<void> {
  await page.getByLabel('Rollout', { exact: true }).fill('90')
  await page.getByRole('complementary').getByText(/90.%/).waitFor()
}

async function findFlag(page: Page): Promise<void> {
  await page.getByRole('combobox').fill('e')
  await page.getByRole('option').first().waitFor()
}

async function proposeEdit(page: Page): Promise<void> {
  await editRollout(page)
  await page.getByRole('button', { name: 'Propose…' }).filter({ visible: true }).first().click()
  await page.getByRole('dialog').waitFor()
}

async function proposeAgain(page: Page): Promise<void> {
  await proposeEdit(page)
  await page.getByRole('button', { name: 'Send to review' }).click()
  await page.getByRole('button', { name: /^Add to #/ }).waitFor()
}

function logMenu(name: string): Ready {
  return async (page) => {
    await page
      .getByRole('button', { name: /^What changed/ })
      .first()
      .waitFor()
    await page.locator('summary', { hasText: name }).click()
  }
}

async function openFilters(page: Page): Promise<void> {
  await page.getByText('Filter', { exact: true }).click()
  await page.getByRole('button', { name: 'Author', exact: true }).click()
  await page
    .getByRole('textbox', { name: 'Author' })
    .or(page.getByRole('combobox', { name: 'Author' }))
    .waitFor()
}

async function openEvent(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^What changed/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'JSON' }).first().click()
}

async function switchOff(page: Page): Promise<void> {
  await page.getByRole('switch', { name: 'Change requests in production' }).click()
  await page.getByText(/open change requests keep/).waitFor()
}

async function fewerApprovals(page: Page): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: 'production' })
  const two = row.getByText('2 people')
  // An earlier visit may have set it.
  await row.getByRole('button', { name: 'One more' }).waitFor()
  if ((await two.count()) === 0) await row.getByRole('button', { name: 'One more' }).click()
  await two.waitFor()
  await row.getByRole('button', { name: 'One less' }).click()
  await page.getByText(/open change requests keep/).waitFor()
}
