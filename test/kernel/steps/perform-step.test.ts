import { discardDraft, editChange } from '../../../src/capabilities/proposals/changes'
import type { ChangeRequest } from '../../../src/domain/change-request'
import { returnedRevision, wellFormedCall } from '../../../src/domain/steps/facts'
import { requireStep, type Step } from '../../../src/domain/steps/steps'
import { performStep, type WriteCommand } from '../../../src/kernel/step/perform-step'
import { prepareStep } from '../../../src/kernel/step/prepare-step'
import { findVisible, type StepInput } from '../../../src/kernel/step/step-input'
import { actors, by, createFixture, enable, type Fixture, noon, rejection } from '../support/fixture'
import { Gate, HostFlags } from '../support/flags'

const here = { project: 'shop', id: 1 as number | undefined }

/** The effect of every decision here, if the rules of its step allow it. */
const titled = (current: ChangeRequest) => ({ changeRequest: { ...current, title: 'Sale' }, events: [] })

/** Decides by the rules of the step alone. */
const decideBy =
  <S extends Step>(step: S) =>
  (current: ChangeRequest, { facts }: WriteCommand<S>) => {
    requireStep<Step>(step, current, facts as WriteCommand<Step>['facts'], wellFormedCall)
    return titled(current)
  }

/** A step that needs no hook but `authorize`. */
const write = (fixture: Fixture, more: Partial<StepInput> = {}) =>
  performStep(fixture.services, 'rename', { ...by('ann'), ...here, ...more }, decideBy('rename'))

/** What the author does to the changes while another user decides. */
const alter = ({ services }: Fixture, changeId = 1) =>
  editChange(services, { ...by('ann'), ...here, changeId, change: enable('search') })

/** A fixture with a gateway that a test can delay, or that acts before it returns. */
function createFixtureWithFlags() {
  const flags = new HostFlags()
  const fixture = createFixture({ flags })
  /** The requested flags of each later call of the gateway. */
  const asked: (readonly string[])[] = []
  const current: HostFlags['current'] = (subjects) => {
    asked.push(subjects.features)
    return new HostFlags().current(subjects)
  }
  return {
    ...fixture,
    asked,
    /** The next call of the gateway returns after the work; the work may call it as well. */
    before(work: () => Promise<unknown>) {
      flags.instead = async (subjects) => {
        flags.instead = null
        await work()
        flags.instead = current
        return current(subjects)
      }
    },
  }
}

describe('findVisible', () => {
  it('finds by project and id, and drafts only for their author', async () => {
    const fixture = createFixture()
    await fixture.propose('ann')
    expect((await findVisible(fixture.services, here, actors.ann)).changeRequest.id).toBe(1)
    const missing = async (reference: object, who: keyof typeof actors) =>
      (await rejection(findVisible(fixture.services, { ...here, ...reference }, actors[who]))).message
    expect(await missing({}, 'ben')).toBe('There is no change request 1 in the project.')
    expect(await missing({ project: 'blog' }, 'ann')).toBe('There is no change request 1 in the project.')
    expect(await missing({ id: 9 }, 'ann')).toBe('There is no change request 9 in the project.')
    expect(await missing({ id: undefined }, 'ann')).toBe('There is no change request with this id in the project.')
    await fixture.to('ann', 'In review')
    expect((await findVisible(fixture.services, here, actors.robot)).version).toBe(2)
  })
})

describe('performStep', () => {
  it('decides on the stored content, at the time of the decision, as the caller', async () => {
    const fixture = createFixture()
    await fixture.propose('ann')
    const commands: unknown[] = []
    const input = { ...by('ann'), ...here, changeIds: () => 2 }
    const stored = await performStep(fixture.services, 'cancel', input, (current, command) => {
      commands.push(command)
      return titled(current)
    })
    expect([stored.version, (await fixture.stored())?.title]).toEqual([2, 'Sale'])
    expect(commands).toEqual([
      {
        by: { author: expect.objectContaining({ signature: 'ann@example.com' }), groups: [] },
        facts: {
          ...{ userId: 1, CREATE_CHANGE_REQUEST: true, ADMIN: false, flags: undefined },
          digest: expect.stringMatching(/^sha256:/),
          options: expect.objectContaining({ knowsOutcome: false }),
          revision: { ...returnedRevision, isStated: false },
          expiry: undefined,
        },
        now: noon,
        ids: { changeRequest: 0, changes: [2, 3] },
      },
    ])
  })

  it('uses a change request that was already found', async () => {
    const finds: number[] = []
    const fixture = createFixture({
      storage: (memory) => ({
        ...memory,
        find(scope, id) {
          finds.push(id)
          return memory.find(scope, id)
        },
      }),
    })
    await fixture.propose('ann')
    const found = await findVisible(fixture.services, here, actors.ann)
    finds.length = 0
    await write(fixture, { found })
    expect(finds).toEqual([])
    await write(fixture)
    expect(finds).toEqual([1])
    // It was written since: a second read.
    await write(fixture, { found })
    expect(finds).toEqual([1, 1])
  })

  it('checks the caller before the revision, also on newer content', async () => {
    const fixture = createFixture()
    await fixture.reviewed()
    const found = await findVisible(fixture.services, here, actors.ann)
    const createdBy = { ...found.changeRequest.createdBy, id: 2 }
    const ofBen = { version: 1, changeRequest: { ...found.changeRequest, createdBy } }
    const writing = write(fixture, { ...by('ben'), found: ofBen, ifMatch: '"1-1"' })
    expect((await rejection(writing)).message).toMatch(/^Only the author/)
  })

  it('is 404 if the change request is removed before it runs', async () => {
    const fixture = createFixtureWithFlags()
    await fixture.propose('ann')
    const gate = new Gate()
    fixture.before(() => gate.pass())
    const writing = rejection(fixture.to('ann', 'Cancelled'))
    await gate.arrived
    await discardDraft(fixture.services, { ...by('ann'), ...here })
    gate.letGo()
    expect((await writing).name).toBe('NotFoundError')
  })

  describe('with facts that depend on the changes', () => {
    /** A step that needs the flags, but does not state what it decides on; `seen` gets the flags of each decision. */
    const cancel = (fixture: Fixture, seen: unknown[] = []) =>
      performStep(fixture.services, 'cancel', { ...by('ann'), ...here }, (current, command) => {
        seen.push([...(command.facts.flags?.features.keys() ?? [])])
        return titled(current)
      })
    /** A step for content that the caller has seen; `seen` gets what each decision learns about that. */
    const approve = (fixture: Fixture, seen: boolean[]) =>
      performStep(fixture.services, 'approve', { ...by('ben'), ...here }, (current, command) => {
        seen.push(command.facts.revision.isSeen)
        return decideBy('approve')(current, command)
      })

    it('gathers them again if the changes were edited meanwhile', async () => {
      const fixture = createFixtureWithFlags()
      await fixture.propose('ann')
      const seen: unknown[] = []
      fixture.before(() => alter(fixture))
      await cancel(fixture, seen)
      expect([fixture.asked, seen]).toEqual([
        [['checkout'], ['search']],
        [['checkout'], ['search']],
      ])
    })

    it('keeps them if something else changed meanwhile', async () => {
      const fixture = createFixtureWithFlags()
      await fixture.propose('ann')
      fixture.before(() => write(fixture))
      expect((await cancel(fixture)).version).toBe(3)
      expect(fixture.asked).toEqual([['checkout']])
    })

    it('is 412 on other content, where the step decides on what the caller has seen, and gathers nothing again', async () => {
      const fixture = createFixtureWithFlags()
      await fixture.reviewed()
      const seen: boolean[] = []
      await approve(fixture, seen)
      fixture.before(() => alter(fixture))
      expect(await rejection(approve(fixture, seen))).toMatchObject({
        name: 'PreconditionFailedError',
        message: expect.stringContaining('The content to be applied has changed since you read it'),
      })
      expect([seen, fixture.asked]).toEqual([[true, true, false], [['checkout']]])
    })

    it('is decided without the flags where they are optional', async () => {
      const fixture = createFixtureWithFlags()
      await fixture.propose('ann')
      fixture.before(() => Promise.reject(new Error('out of order')))
      const input = { ...by('ann'), ...here }
      const seen: unknown[] = []
      await performStep(fixture.services, 'cancel', input, (current, { facts }) => {
        seen.push(facts.flags)
        return titled(current)
      })
      expect(seen).toEqual([undefined])
      expect(fixture.lines).toMatchObject([{ level: 'warn', facts: { id: 1 } }])
    })
  })
})

describe('prepareStep', () => {
  it('applies only to the content that was stored when the request arrived, also after a lost race', async () => {
    const fixture = createFixtureWithFlags()
    await fixture.reviewed()
    const arrived = await findVisible(fixture.services, here, actors.ben)
    const seen: boolean[] = []
    await prepareStep(fixture.services, 'apply', { ...by('ben'), ...here }, async (found, { commandFor }) => {
      // The facts describe the content that was found, so they do not fit the content at arrival, even if that is restored.
      for (const current of [found, arrived]) seen.push(commandFor(current).facts.revision.isSeen)
      if (seen.length > 2) return 'done'
      await alter(fixture)
      return undefined
    })
    expect(seen).toEqual([true, true, false, false])
  })

  it('compares the digest with what would be applied to the flags that a transaction locked', async () => {
    const fixture = createFixtureWithFlags()
    await fixture.approved()
    const checkout = { archived: false, enabled: false, strategies: [] }
    const locked = { features: new Map([['checkout', checkout]]), segments: new Map() }
    /** The digest, and whether it is the one that the caller has seen: on the flags of before, and on those. */
    const decideOn = async (digest: string | null) => {
      const decided: [digest: string, isSeen: boolean][] = []
      await prepareStep(fixture.services, 'apply', { ...by('ben'), ...here, digest }, async (found, prepared) => {
        for (const { commandFor } of [prepared, await prepared.onFlags(locked)]) {
          const { facts } = commandFor(found)
          decided.push([facts.digest, facts.revision.isSeen])
        }
        return decided
      })
      return decided
    }
    const [before = '', after = ''] = (await decideOn(null)).map(([digest]) => digest)
    expect(await decideOn(before)).toEqual([
      [before, true],
      [after, false],
    ])
    expect(await decideOn(after)).toEqual([
      [before, false],
      [after, true],
    ])
  })
})
