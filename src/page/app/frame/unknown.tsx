import { Link, PageTitle } from '../core'
import { Button, Empty } from '../parts'

/** For an address that stands for nothing, or a part of the page that can no longer be loaded. */
export function Unknown({ outdated = false }: { readonly outdated?: boolean }) {
  return (
    <>
      <div class="page-head">
        <PageTitle title={outdated ? 'Load the page again' : 'Not found'} />
      </div>
      <section class="panel edge">
        {outdated ? (
          <Empty
            icon="refresh"
            title="This part of the page could not be loaded"
            actions={<Button onClick={() => window.location.reload()}>Load the page again</Button>}
          >
            There is no network, or the page was updated meanwhile. What you wrote is kept.
          </Empty>
        ) : (
          <Empty
            icon="info"
            title="There is nothing at this address"
            actions={
              <Link class="btn" to="/">
                Go to the inbox
              </Link>
            }
          >
            Addresses of change requests look like /projects/shop/change-requests/42.
          </Empty>
        )}
      </section>
    </>
  )
}
