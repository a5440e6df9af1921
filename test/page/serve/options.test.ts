import { reviewPage } from '../../../src/page'
import { readBuiltPage } from '../../../src/page/serve/built-page'

describe('reviewPage(options)', () => {
  const api = 'reviewPage: option "api" must be a path of the same origin, such as "/api/admin".'
  const signInUrl = 'reviewPage: option "signInUrl" must be a path, or a URL that begins with https:// or http://.'

  it.each([
    [undefined, 'reviewPage: the options must be an object.'],
    [{ signIn: 'host' }, api],
    [{ api: '', signIn: 'host' }, api],
    [{ api: 'https://other.example/api', signIn: 'host' }, api],
    [{ api: '//other.example/api', signIn: 'host' }, api],
    [{ api: '/\\other.example/api', signIn: 'host' }, api],
    [{ api: '/api' }, 'reviewPage: option "signIn" must be "host" or "key".'],
    [{ api: '/api', signIn: 'cookie' }, 'reviewPage: option "signIn" must be "host" or "key".'],
    [{ api: '/api', signIn: 'host', signInUrl: 'javascript:alert(1)' }, signInUrl],
    [{ api: '/api', signIn: 'host', signInUrl: '//id.example' }, signInUrl],
    [
      { api: '/api', signIn: 'key', signInUrl: '/sign-in' },
      'reviewPage: option "signInUrl" must be left out with signIn: "key".',
    ],
    [{ api: '/api', signIn: 'host', title: ' ' }, 'reviewPage: option "title" must be a text of 1 to 100 characters.'],
    [{ api: '/api', signIn: 'host', signOutUrl: '//id.example' }, signInUrl.replace('signInUrl', 'signOutUrl')],
    [
      { api: '/api', signIn: 'key', signOutUrl: '/sign-out' },
      'reviewPage: option "signOutUrl" must be left out with signIn: "key".',
    ],
    [
      { api: '/api', signIn: 'host', stylesheet: 'https://cdn.example/a.css' },
      'reviewPage: option "stylesheet" must be a path of the same origin.',
    ],
    [
      { api: '/api', signIn: 'host', frameAncestors: 'https://host.example' },
      'reviewPage: option "frameAncestors" must be "none" or "self".',
    ],
    [
      { api: '/api', signIn: 'host', theme: 'dark' },
      'reviewPage: unknown option "theme". Known options: api, signIn, signInUrl, signOutUrl, title, stylesheet, frameAncestors.',
    ],
  ])('rejects %j', (options, message) => {
    expect(() => reviewPage(options as never)).toThrow(new TypeError(message))
  })

  it('reports that the page was not built', () => {
    expect(() => readBuiltPage('/nowhere')).toThrow(
      'The files of the review page are missing: /nowhere/manifest.json does not exist. If you bundle your app, leave ' +
        'express-change-requests external. In a checkout of the package, run "npm run build".',
    )
  })
})
