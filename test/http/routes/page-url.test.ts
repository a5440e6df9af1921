import supertest from 'supertest'
import { memoryStorage } from '../../../src'
import { enable, people, startApp } from '../../support/app'
import { violations } from '../support/schema'

describe('with the option pageUrl', () => {
  it.each([
    ['https://flags.example/review', 'https://flags.example/review/projects/shop/change-requests/1'],
    ['', undefined],
  ])('%j, the review and the inbox have the url %s', async (pageUrl, url) => {
    const app = await startApp({ storage: memoryStorage(), pageUrl })
    await app.propose(enable()).expect(200)
    const get = async (path: string) =>
      (await supertest(app.server).get(`/api/admin${path}`).set('Authorization', people.ann.key).expect(200)).body
    const [review, inbox] = [await get('/projects/shop/change-requests/1/review'), await get('/reviews?needs=mine')]
    expect([review.url, inbox.reviews[0].url]).toEqual([url, url])
    expect([violations('review', review), violations('reviews', inbox)]).toEqual([[], []])
    await app.close()
  })
})
