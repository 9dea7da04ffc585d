import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { mayDo } from '../../../../src/domain/permissions.ts'
import { useClient } from '../../api/client-context.tsx'
import { useUser } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { classNames } from '../../lib/class-names.ts'
import { createStore, type Store, useStore } from '../../lib/create-store.ts'
import { type EntryMark, useWork } from '../actions/late-work.tsx'
import { placesOf, type SharedPlaces } from './model/shared-places.ts'
import styles from './shared-mark.module.css'
import { plainSharesQuery } from './shares-query.ts'
/** Marks what one shares oneself where it is listed. Draws nothing by itself. */
export function SharedMarks() {
  const client = useClient()
  const work = useWork()
  const user = useUser()
  const [places] = useState(() => createStore<SharedPlaces>(new Map()))
  const enabled = user !== undefined && mayDo(user.perm, 'shares.manage')
  const { data } = useQuery({ ...plainSharesQuery(client), enabled })
  useEffect(() => {
    places.set(enabled && data !== undefined ? placesOf(data, user.id) : new Map())
  }, [places, data, enabled, user])
  useEffect(() => {
    const mark = createMark(places)
    work.mark.set(() => mark)
    return () => work.mark.set(null)
  }, [places, work])
  return null
}

function createMark(places: Store<SharedPlaces>): EntryMark {
  return function SharedMark({ href, tile }) {
    const t = useText()
    const access = useStore(places, (shared) => shared.get(href))
    if (access === undefined) return null
    const label = t(access === 'password' ? 'work.sharedGuarded' : 'work.shared')
    return (
      <span
        className={classNames(styles['mark'], tile === true && styles['tile'])}
        role="img"
        aria-label={label}
        data-tooltip={label}
      >
        <Icon name={access === 'password' ? 'lock' : 'link'} size={14} />
      </span>
    )
  }
}
