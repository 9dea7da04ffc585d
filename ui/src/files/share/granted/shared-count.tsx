import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useClient } from '../../../api/client.ts'
import { given } from '../../../api/permissions.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { sharedQuery } from './granted-query.ts'

/** How much others share with the user; tells the page what may be done with it. */
export function SharedCount() {
  const format = useFormat()
  const { data } = useQuery(sharedQuery(useClient()))
  useEffect(() => given.set(data), [data])
  return data !== undefined && data.length > 0 && <span className="num">{format.number(data.length)}</span>
}
