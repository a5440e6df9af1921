import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import express from 'express'
import { july, makeExceptions, openScene, removeFolders, temporaryFolder } from '../../cli/evidence/support'
import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'

const browser = useBrowser()
let server: Server
let url: string

beforeAll(async () => {
  const scene = await openScene()
  const out = join(temporaryFolder(), 'q3')
  try {
    await makeExceptions(scene)
    scene.at('2026-07-20T08:00:00.000Z')
    const place = await scene.propose()
    await scene.as('ann').setTitle(place, '<img src=x onerror=alert(1)>')
    expect(await scene.run([...july, '--zone', 'Europe/Berlin', '--out', out])).toMatchObject({ status: 0 })
  } finally {
    await scene.close()
  }
  server = createServer(express().use(express.static(out))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  removeFolders()
})

describe('the report of the evidence', () => {
  it.each(['light', 'dark'] as const)('is accessible, %s', async (colorScheme) => {
    const page = await browser.visit({ url: `${url}/report.html`, colorScheme })
    expect(await findings(page)).toEqual([])
    await page.goto(`${url}/requests-001.html`)
    expect(await findings(page)).toEqual([])
  })

  it('shows the exceptions first, with a picture per week, and then the change requests', async () => {
    const page = await browser.visit({ url: `${url}/report.html` })
    expect(await page.getByRole('heading').allTextContents()).toEqual([
      'Change requests from 2026-07-01 to 2026-07-31',
      'Exceptions',
      'Each exception',
      'Change requests',
      'People and machines',
    ])
    const picture = page.getByRole('img', { name: 'Exceptions per week: 12 in 5 weeks, at most 12 in one.' })
    expect(await picture.locator('rect').count()).toBe(1)
    const rows = page.getByRole('region', { name: 'Each exception' }).getByRole('row')
    expect(await rows.nth(1).textContent()).toMatch(
      /^Applied in an emergency2026-07-10 11:\d\d:\d\dann \(1\)Payments fail/,
    )
    await page.getByRole('link', { name: '#3', exact: true }).first().click()
    expect(await page.locator(':target').getByText('Payments fail').count()).toBe(1)
    expect(await page.getByText('<img src=x onerror=alert(1)>').count()).toBe(1)
    expect(await page.locator('script, img, link').count()).toBe(0)
  })

  it('fits a narrow window', async () => {
    const page = await browser.visit({ url: `${url}/report.html`, viewport: { width: 360, height: 700 } })
    for (const file of ['report.html', 'requests-001.html']) {
      await page.goto(`${url}/${file}`)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    }
  })

  it('prints black on white, with all columns', async () => {
    const page = await browser.visit({ url: `${url}/report.html`, colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const colours = `['color', 'backgroundColor'].map((name) => getComputedStyle(document.body)[name])`
    expect(await page.evaluate(colours)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
    await page.setViewportSize({ width: 718, height: 1000 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(718)
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-')
  })
})
