/**
 * Runs in the page of the server. Some of its buttons only show that a request failed. If the front blocked a write, this
 * shows the reason and a link to the review.
 */
;(() => {
  const ask = window.fetch
  const shownMs = 15_000
  let hiding

  window.fetch = async (...request) => {
    const answer = await ask(...request)
    if (answer.headers.has('Review-Held')) show(answer.clone()).catch(() => {})
    return answer
  }

  async function show(answer) {
    const { message } = await answer.json()
    const notice = document.getElementById('review-notice') ?? createNotice()
    notice.replaceChildren(message)
    const address = answer.headers.get('Review-Held')
    if (address !== '') notice.append(' ', createLink(address))
    notice.hidden = false
    clearTimeout(hiding)
    hiding = setTimeout(() => {
      notice.hidden = true
    }, shownMs)
  }

  function createNotice() {
    const notice = document.createElement('div')
    notice.id = 'review-notice'
    notice.setAttribute('role', 'status')
    Object.assign(notice.style, {
      position: 'fixed',
      top: '1rem',
      left: '50%',
      transform: 'translateX(-50%)',
      maxWidth: 'min(40rem, 90vw)',
      padding: '0.75rem 1rem',
      borderRadius: '0.5rem',
      background: '#1d2129',
      color: '#fff',
      font: '0.875rem/1.5 sans-serif',
      zIndex: 9_999,
    })
    document.body.append(notice)
    return notice
  }

  function createLink(address) {
    const link = document.createElement('a')
    link.href = address
    link.textContent = 'Open it'
    link.style.color = 'inherit'
    return link
  }
})()
