/** With a mark for each sign that changes the order of letters, so that a program cannot look like a picture: "foto�gnp.exe". */
export function plainName(name: string): string {
  return name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
}
