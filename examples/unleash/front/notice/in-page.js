/**
 * Runs in the page of the server. Some of its buttons only show that a request failed. If the front blocked a write, this
 * shows the reason and a link to the review. With a banner, it also shows signed-in users that changes are reviewed, and how
 * many change requests wait for them.
 */
;(() => {
  const ask = window.fetch
  const shownMs = 15_000
  const api = '/reviewed/api/admin'
  const refreshMs = 60_000
  const hasBanner = 'banner' in document.currentScript.dataset
  let hiding

  if (hasBanner) {
    document.addEventListener('DOMContentLoaded', refreshBanner)
    document.addEventListener('visibilitychange', refreshBanner)
    setInterval(refreshBanner, refreshMs)
  }

  window.fetch = async (...request) => {
    const answer = await ask(...request)
    if (answer.headers.has('Review-Held')) show(answer.clone()).catch(() => {})
    // A sign-in does not load the page again.
    if (hasBanner && new URL(answer.url, document.baseURI).pathname.startsWith('/auth/')) void refreshBanner()
    return answer
  }

  async function show(answer) {
    const { message } = await answer.json()
    const notice = document.getElementById('review-notice') ?? createNotice()
    notice.replaceChildren(message)
    const address = answer.headers.get('Review-Held')
    if (address !== '') notice.append(' ', createLink(address, 'Open it'))
    notice.hidden = false
    clearTimeout(hiding)
    hiding = setTimeout(() => {
      notice.hidden = true
    }, shownMs)
  }

  async function refreshBanner() {
    if (document.visibilityState !== 'visible') return
    try {
      showBanner(await environmentsInReview(), (await read('/reviews?needs=me&limit=1')).totals.me)
    } catch {
      // Nobody is signed in, or the front does not respond.
      document.getElementById('review-banner')?.remove()
    }
  }

  async function environmentsInReview() {
    const { places } = await read('/places')
    const all = places.flatMap(({ environments }) => environments)
    return [...new Set(all.filter((one) => one.changeRequestsEnabled).map(({ name }) => name))]
  }

  async function read(path) {
    const answer = await ask(`${api}${path}`, { headers: { Accept: 'application/json' } })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return answer.json()
  }

  function showBanner(environments, { count, atLeast }) {
    const banner = document.getElementById('review-banner') ?? createBanner()
    banner.hidden = environments.length === 0
    const waiting = createLink(
      '/review',
      count === 0 ? 'Change requests' : `${count}${atLeast ? '+' : ''} waiting for you`,
    )
    banner.replaceChildren(`Changes to ${environments.join(', ')} are reviewed. `, waiting)
  }

  /** In the flow of the page, so that it covers nothing. */
  function createBanner() {
    const banner = createStatus('review-banner', { padding: '0.375rem 1rem', textAlign: 'center' })
    document.body.prepend(banner)
    return banner
  }

  function createNotice() {
    const notice = createStatus('review-notice', {
      position: 'fixed',
      top: '1rem',
      left: '50%',
      transform: 'translateX(-50%)',
      maxWidth: 'min(40rem, 90vw)',
      padding: '0.75rem 1rem',
      borderRadius: '0.5rem',
      zIndex: 9_999,
    })
    document.body.append(notice)
    return notice
  }

  function createStatus(id, style) {
    const status = document.createElement('div')
    status.id = id
    status.setAttribute('role', 'status')
    Object.assign(status.style, { background: '#1d2129', color: '#fff', font: '0.875rem/1.5 sans-serif', ...style })
    return status
  }

  function createLink(address, text) {
    const link = document.createElement('a')
    link.href = address
    link.textContent = text
    link.style.color = 'inherit'
    return link
  }
})()
