import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../api/client.ts'
import { useUser } from '../../api/session.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Badge } from '../../kit/feedback/note.tsx'
import { receivingQuery } from '../queries/shares-query.ts'

/** How many files visitors have sent by the user's own links since the user last looked. */
export function NewArrivals() {
  const id = useUser()?.id
  const { data = [] } = useQuery({ ...receivingQuery(useClient()), throwOnError: false })
  const own = data.filter(({ userID }) => userID === id)
  return <ArrivalsBadge count={own.reduce((sum, { unseenFiles }) => sum + unseenFiles, 0)} />
}

/** Nothing without new files. */
export function ArrivalsBadge({ count }: { readonly count: number }) {
  const t = useText()
  const { number } = useFormat()
  if (count === 0) return null
  const label = t('shell.newArrivals', { count })
  return (
    <Badge tone="accent" title={label}>
      <span aria-hidden="true">{number(count)}</span>
      <span className="visually-hidden">{label}</span>
    </Badge>
  )
}
