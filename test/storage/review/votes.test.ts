import { discardChange, editChange } from '../../../src/capabilities/proposals/changes'
import { rebase } from '../../../src/capabilities/rebase/routes'
import { review } from '../../../src/capabilities/review/review'
import { viewReview } from '../../../src/capabilities/review/view'
import type { ReviewView } from '../../../src/generated/index'
import type { StoredChangeRequest } from '../../../src/ports/storage/change-requests'
import { actors, by, createFixture, enable, type Fixture, noon } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'
import { type OpenDatabase, oneDatabase } from '../../support/databases'

const here = { project: 'shop', id: 1 }

describe.each(oneDatabase)('what changed since an approval on $name', ({ open }) => {
  let opened: OpenDatabase
  let flags: HostFlags
  let fixture: Fixture

  beforeEach(async () => {
    opened = await open()
    flags = new HostFlags()
    fixture = createFixture({ storage: () => opened.storage, flags, requiredApprovals: 2 })
    await fixture.reviewed([enable('checkout'), enable('search')])
    await fixture.to('ben', 'Approved')
  })
  afterEach(() => opened.close())

  async function view(): Promise<ReviewView> {
    const { body } = viewReview(await review(fixture.services, { actor: actors.ann, ...here }), fixture.services)
    return JSON.parse(String(body))
  }
  const changeOf = async (feature: string) => ({
    ...{ ...by('ann'), ...here },
    changeId: (await view()).changes.find((change) => change.feature === feature)?.id ?? 0,
  })
  const edit = async (feature: string, other: string) =>
    editChange(fixture.services, { ...(await changeOf(feature)), change: enable(other) })
  const sinceBen = async () => {
    const { votes, changes } = await view()
    const features = new Map(changes.map(({ id, feature }) => [id, feature]))
    const { changes: since } = votes.find(({ person }) => person.id === actors.ben.id) ?? {}
    return since?.map(({ id, status }) => `${features.get(id) ?? 'a change'} ${status}`)
  }

  it('is nothing, also after a read', async () => {
    expect(await sinceBen()).toEqual(['checkout same', 'search same'])
  })

  it('follows edits of edits', async () => {
    await edit('checkout', 'sorting')
    await edit('sorting', 'colors')
    await discardChange(fixture.services, await changeOf('search'))
    await fixture.propose('ann', [enable('filters')])
    expect(await sinceBen()).toEqual(['colors edited', 'filters new', 'a change gone'])
    await edit('colors', 'checkout')
    expect(await sinceBen()).toEqual(['filters new', 'checkout same', 'a change gone'])
    await fixture.to('ben', 'Approved')
    expect(await sinceBen()).toEqual(['filters same', 'checkout same'])
    await fixture.to('cleo', 'Approved')
    await fixture.to('cleo', 'Applied')
    expect(await sinceBen()).toEqual(['filters same', 'checkout same'])
  })

  it('is an edit where a rebase replaced the base', async () => {
    flags.enabled = true
    await rebase(fixture.services, { ...by('ann'), ...here }, { named: new Map(), others: 'ours' })
    expect(await sinceBen()).toEqual(['checkout edited', 'search edited'])
  })

  it('is unknown for what an earlier version stored', async () => {
    const { storage } = opened
    const stored = (await storage.find({ project: 'shop' }, here.id)) as StoredChangeRequest
    const { changeRequest } = stored
    const voided = { by: changeRequest.createdBy, at: noon, cause: 'edit', causedBy: changeRequest.createdBy } as const
    const old = { ...changeRequest, votedContents: [], voidedApprovals: [voided] }
    await fixture.services.writer.commit(stored, { changeRequest: old, events: [] })
    expect((await view()).votes).toMatchObject([{ current: true, changes: null }])
    await edit('checkout', 'sorting')
    const { votes, voidedApprovals } = await view()
    expect(votes).toMatchObject([{ current: false, changes: null }])
    expect(voidedApprovals).toHaveLength(2)
  })
})
