// What is wrong with the way to the database, and no other moment makes better.

/** The connections of DATABASE_URL cannot be used as they are. For the person who set them up. */
export class UnfitConnection extends Error {
  override readonly name = "UnfitConnection";
}
