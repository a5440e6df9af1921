import { Link } from '../../core/places/link'
import { PageTitle } from '../../core/places/title'
import { Empty } from '../../parts/messages/notice'

/** For an unknown address. */
export function Unknown() {
  return (
    <>
      <div class="page-head">
        <PageTitle title="Not found" />
      </div>
      <section class="panel edge">
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
      </section>
    </>
  )
}
