import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useClient } from '../../api/client.ts'
import { placesQuery } from '../../files/queries/places-query.ts'

interface UntilBackProps {
  /** The path of a place that could not be reached just now. */
  readonly place: string
  readonly onBack: () => void
}

/** Looks for a place that is away, for the list of places too, and calls back once it is there. Renders nothing. */
export function UntilBack({ place, onBack }: UntilBackProps) {
  const queries = useQueryClient()
  const [since] = useState(() => Date.now())
  const { data, dataUpdatedAt } = useQuery(placesQuery(useClient()))
  useEffect(() => void queries.invalidateQueries({ queryKey: ['places'] }), [queries])
  const isBack = dataUpdatedAt > since && data?.find(({ path }) => path === place)?.state === 'here'
  const callBack = useEffectEvent(onBack)
  useEffect(() => {
    if (isBack) callBack()
  }, [isBack])
  return null
}
