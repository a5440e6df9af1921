import { readConfig } from '../../../src/page/app/read-config'

const read = (baseURI: string, config: object) =>
  readConfig({ baseURI, getElementById: () => ({ textContent: JSON.stringify(config) }) as HTMLElement })

describe('the configuration in the document', () => {
  it('has URLs that are the same on every screen', () => {
    const config = {
      api: 'review/../api/admin/',
      base: 'review/',
      signIn: 'host',
      signInUrl: 'review/../sign-in?from=flags',
      signOutUrl: 'review/../sign-out',
    }
    expect(read('https://shop.example/tools/review?needs=all', config)).toEqual({
      api: '/tools/api/admin',
      base: '/tools/review/',
      signIn: 'host',
      signInUrl: 'https://shop.example/tools/sign-in?from=flags',
      signOutUrl: 'https://shop.example/tools/sign-out',
    })
  })

  it.each([null, 'https://id.example/sign-in'])('keeps the sign-in %s unchanged', (signInUrl) => {
    expect(read('https://shop.example/review/', { api: '/api', base: './', signIn: 'host', signInUrl })).toMatchObject({
      signInUrl,
    })
  })
})
