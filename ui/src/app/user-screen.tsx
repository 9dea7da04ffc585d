import { useParams } from '@tanstack/react-router'
import { ApiError } from '../api/api-error.ts'
import { UserPage } from '../admin/users/form/user-page.tsx'

/** The form of one account; the address "new" is for one that is not there yet. */
export function UserScreen() {
  const { id = 'new' } = useParams({ strict: false })
  const number = /^\d{1,15}$/.test(id) ? Number(id) : undefined
  if (number === undefined && id !== 'new') throw new ApiError({ status: 404, message: '' })
  // Another account begins with a form of its own.
  return <UserPage key={id} id={number} />
}
