import { PageTitle } from '../core/places/title'
import { Button } from '../parts/controls/button'
import { Empty } from '../parts/messages/notice'

/** For a part of the page that can no longer be loaded. */
export function Outdated() {
  return (
    <>
      <div class="page-head">
        <PageTitle title="Load the page again" />
      </div>
      <section class="panel edge">
        <Empty
          icon="refresh"
          title="This part of the page could not be loaded"
          actions={<Button onClick={() => window.location.reload()}>Load the page again</Button>}
        >
          There is no network, or the page was updated meanwhile. What you wrote is kept.
        </Empty>
      </section>
    </>
  )
}
