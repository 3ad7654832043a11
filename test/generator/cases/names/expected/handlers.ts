// Written by "npm run generate" from openapi.yaml; do not edit.

import type * as answers from "./runtime/answers.ts";
import type * as petsFriendsOperations from "./operations/pets-friends.ts";
import type * as petsFriends_2Operations from "./operations/pets-friends_2.ts";
import type * as petsFRIENDSOperations from "./operations/pets-friends_3.ts";
import type * as überAllesOperations from "./operations/über-alles.ts";
import type * as types_Operations from "./operations/types.ts";
import type * as runtime_Operations from "./operations/runtime.ts";
import type * as _1Operations from "./operations/1.ts";
import type * as _Operations from "./operations/default.ts";
import type * as handlers_2Operations from "./operations/handlers_2.ts";
import type * as default_Operations from "./operations/default_2.ts";

/**
 * One function for each operation. `Caller`: what authentication found out; `Edge`: names of headers
 * that the edge adds to every answer.
 */
export interface Handlers<Caller, Edge extends string = never> {
  /** GET /pets */
  readonly "pets/list": answers.HandlerOf<
    petsFriendsOperations.PetsListRequest,
    petsFriendsOperations.PetsListAnswer<Edge>,
    Caller
  >;
  /** POST /pets */
  readonly "pets-list": answers.HandlerOf<
    petsFriends_2Operations.PetsList_2Request,
    petsFriends_2Operations.PetsList_2Answer<Edge>,
    Caller
  >;
  /** DELETE /pets */
  readonly deletePets: answers.HandlerOf<
    petsFRIENDSOperations.DeletePetsRequest,
    petsFRIENDSOperations.DeletePetsAnswer<Edge>,
    Caller
  >;
  /** GET /1st/{some-id} */
  readonly "1st": answers.HandlerOf<
    überAllesOperations._1stRequest,
    überAllesOperations._1stAnswer<Edge>,
    Caller
  >;
  /** GET /reserved */
  readonly delete: answers.HandlerOf<
    types_Operations.DeleteRequest,
    types_Operations.DeleteAnswer<Edge>,
    Caller
  >;
  /** PUT /reserved */
  readonly types: answers.HandlerOf<
    runtime_Operations.TypesRequest,
    runtime_Operations.TypesAnswer<Edge>,
    Caller
  >;
  /** POST /reserved */
  readonly constructor: answers.HandlerOf<
    _1Operations.ConstructorRequest,
    _1Operations.ConstructorAnswer<Edge>,
    Caller
  >;
  /** PATCH /reserved */
  readonly toString: answers.HandlerOf<
    _Operations.ToStringRequest,
    _Operations.ToStringAnswer<Edge>,
    Caller
  >;
  /** OPTIONS /reserved */
  readonly Error: answers.HandlerOf<
    handlers_2Operations.ErrorRequest,
    handlers_2Operations.ErrorAnswer<Edge>,
    Caller
  >;
  /** GET /case */
  readonly listpets: answers.HandlerOf<
    default_Operations.ListpetsRequest,
    default_Operations.ListpetsAnswer<Edge>,
    Caller
  >;
  /** PUT /case */
  readonly listPets: answers.HandlerOf<
    default_Operations.ListPetsRequest,
    default_Operations.ListPetsAnswer<Edge>,
    Caller
  >;
  /** POST /case */
  readonly ListPets: answers.HandlerOf<
    default_Operations.ListPets_2Request,
    default_Operations.ListPets_2Answer<Edge>,
    Caller
  >;
  /** GET /same-type-names */
  readonly Handlers: answers.HandlerOf<
    default_Operations.HandlersRequest,
    default_Operations.HandlersAnswer<Edge>,
    Caller
  >;
  /** PUT /same-type-names */
  readonly a_b: answers.HandlerOf<
    default_Operations.ABRequest,
    default_Operations.ABAnswer<Edge>,
    Caller
  >;
  /** POST /same-type-names */
  readonly aB: answers.HandlerOf<
    default_Operations.AB_2Request,
    default_Operations.AB_2Answer<Edge>,
    Caller
  >;
  /** PATCH /same-type-names */
  readonly "a b": answers.HandlerOf<
    default_Operations.AB_3Request,
    default_Operations.AB_3Answer<Edge>,
    Caller
  >;
  /** GET /signs */
  readonly "100%#1": answers.HandlerOf<
    default_Operations._1001Request,
    default_Operations._1001Answer<Edge>,
    Caller
  >;
  /** PUT /signs */
  readonly "a%41": answers.HandlerOf<
    default_Operations.A41Request,
    default_Operations.A41Answer<Edge>,
    Caller
  >;
  /** GET /used */
  readonly headers: answers.HandlerOf<
    default_Operations.HeadersRequest,
    default_Operations.HeadersAnswer<Edge>,
    Caller
  >;
  /** PUT /used */
  readonly answers: answers.HandlerOf<
    default_Operations.AnswersRequest,
    default_Operations.AnswersAnswer<Edge>,
    Caller
  >;
  /** POST /used */
  readonly createRoute: answers.HandlerOf<
    default_Operations.CreateRouteRequest,
    default_Operations.CreateRouteAnswer<Edge>,
    Caller
  >;
  /** PATCH /used */
  readonly RouteConfig: answers.HandlerOf<
    default_Operations.RouteConfig_Request,
    default_Operations.RouteConfig_Answer<Edge>,
    Caller
  >;
  /** DELETE /used */
  readonly objects: answers.HandlerOf<
    default_Operations.ObjectsRequest,
    default_Operations.ObjectsAnswer<Edge>,
    Caller
  >;
  /** HEAD /used */
  readonly combinations: answers.HandlerOf<
    default_Operations.CombinationsRequest,
    default_Operations.CombinationsAnswer<Edge>,
    Caller
  >;
  /** OPTIONS /used */
  readonly register: answers.HandlerOf<
    default_Operations.RegisterRequest,
    default_Operations.RegisterAnswer<Edge>,
    Caller
  >;
  /** GET /used-too */
  readonly operations: answers.HandlerOf<
    default_Operations.OperationsRequest,
    default_Operations.OperationsAnswer<Edge>,
    Caller
  >;
  /** PUT /used-too */
  readonly handlers: answers.HandlerOf<
    default_Operations.Handlers_2Request,
    default_Operations.Handlers_2Answer<Edge>,
    Caller
  >;
  /** POST /used-too */
  readonly NotImplementedError: answers.HandlerOf<
    default_Operations.NotImplementedError_Request,
    default_Operations.NotImplementedError_Answer<Edge>,
    Caller
  >;
  /** PATCH /used-too */
  readonly AllHandlers: answers.HandlerOf<
    default_Operations.AllHandlers_Request,
    default_Operations.AllHandlers_Answer<Edge>,
    Caller
  >;
}
