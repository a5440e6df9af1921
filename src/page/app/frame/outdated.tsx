import { PageTitle } from '../core/places/title'
import { Button } from '../parts/controls/button'
import { Empty } from '../parts/messages/notice'

/** For a part of the page that can no longer be loaded. */
export function Outdated() {
  return (
    <>
      <div class="page-head">
        <PageTitle title="Reload the page" />
      </div>
      <section class="panel edge">
        <Empty
          icon="refresh"
          title="This part of the page could not be loaded"
          actions={<Button onClick={() => window.location.reload()}>Reload the page</Button>}
        >
          There is no network, or the page was updated. Your text is kept.
        </Empty>
      </section>
    </>
  )
}
