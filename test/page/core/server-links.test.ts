import { changeRequestLink, flagLink, projectLink, proposalLink } from '../../../src/domain/links'
import type * as navigation from '../../../src/page/app/core/places/navigation'
import { readFilters } from '../../../src/page/app/screens/inbox/filter/filters'

const pageUrl = 'https://flags.example/review'
const options = { pageUrl, links: {} }
const place = { project: "it's (a) shop", environment: 'über/all' }

/** What the page makes of an address; its modules read the address of the browser when they are loaded. */
function opened(address: string | undefined) {
  const location = new URL(address ?? 'https://flags.example')
  const config = { textContent: JSON.stringify({ api: '/api/admin', base: '/review/', signIn: 'key' }) }
  Object.assign(globalThis, {
    window: { location, addEventListener() {}, scrollTo() {} },
    document: { baseURI: location.href, getElementById: () => config },
    history: {},
  })
  jest.resetModules()
  // Its modules cannot be loaded here; only components call hooks.
  jest.doMock('preact/hooks', () => ({}))
  return jest.requireActual<typeof navigation>('../../../src/page/app/core/places/navigation').currentLocation()
}

describe('a link of the server opens', () => {
  it('a change request', () => {
    const { place: shown } = opened(changeRequestLink(options, place.project, 42))
    expect(shown).toEqual({ screen: 'request', project: place.project, id: 42 })
  })

  it.each(['checkout', 'team/100% *new*', '?#&'])('the flag %j in its environment', (flag) => {
    const { place: shown, query } = opened(flagLink(options, flag, place))
    expect(shown).toEqual({ screen: 'flag', project: place.project, name: flag })
    expect(Object.fromEntries(query)).toEqual({ environment: place.environment })
  })

  it('the change requests of a project', () => {
    const { place: shown, query } = opened(projectLink(options, place.project))
    expect(shown).toEqual({ screen: 'inbox' })
    expect(readFilters(query)).toMatchObject({ tab: 'all', project: place.project })
  })

  it('a new change in a place', () => {
    const { place: shown, query } = opened(proposalLink(options, place).url)
    expect(shown).toEqual({ screen: 'new' })
    expect(Object.fromEntries(query)).toEqual(place)
  })
})
