import { ApiError } from '../api/api-error.ts'
import { UserPage } from '../admin/users/form/user-page.tsx'

/** The form of one account; the address "new" is for one that does not exist yet. */
export function UserScreen({ param }: { readonly param: string }) {
  const id = /^\d{1,15}$/.test(param) ? Number(param) : undefined
  if (id === undefined && param !== 'new') throw new ApiError({ status: 404, message: '' })
  // Another account begins with a form of its own.
  return <UserPage key={param} id={id} />
}
