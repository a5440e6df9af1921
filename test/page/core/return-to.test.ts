import { withReturnTo } from '../../../src/page/app/screens/sign-in/return-to'

const returnTo = (address: string, base: string, signInUrl = 'https://shop.example/sign-in') =>
  new URL(withReturnTo(signInUrl, new URL(address), base)).searchParams.get('returnTo')

describe('the address to return to after signing in', () => {
  it('is added to the query of the sign-in page, also on another origin', () => {
    const page = new URL('https://shop.example/review/log?type=change-added&from=2026-11-01')
    expect(withReturnTo('https://id.example/sign-in?app=flags', page, '/review')).toBe(
      'https://id.example/sign-in?app=flags&returnTo=%2Freview%2Flog%3Ftype%3Dchange-added%26from%3D2026-11-01',
    )
  })

  it.each([
    ['https://shop.example/review', '/review', '/review'],
    ['https://shop.example/log?needs=all#top', '', '/log?needs=all'],
    ['https://shop.example//evil.example', '', '/'],
    ['https://shop.example/reviews', '/review', '/review/'],
    ['https://shop.example//evil.example/', '/review', '/review/'],
  ])('of %s, mounted at %j, is %s', (address, base, expected) => {
    expect(returnTo(address, base)).toBe(expected)
  })
})
