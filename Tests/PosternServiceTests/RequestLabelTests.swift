import Testing

@testable import PosternService

/// Numbers that stand in the source for what is counted elsewhere.
@Suite struct RequestLabelTests {
    @Test func theNumbersAreThoseOfTheLists() {
        #expect(RequestLabels.methodCount == RequestLabels.methods.count)
        #expect(RequestLabels.statusCount == RequestLabels.statusNames.count)
        #expect(RequestLabels.routes.count == RequestLabels.server + 1)
        #expect(RequestLabels.routes[RequestLabels.noRoute] == "other")
        #expect(RequestLabels.routes[RequestLabels.server] == "*")
        for (name, place) in [
            ("GET", RequestLabels.get), ("HEAD", RequestLabels.head), ("POST", RequestLabels.post),
            ("other", RequestLabels.otherMethod),
        ] {
            #expect(RequestLabels.methods[place] == name)
            #expect(RequestLabels.place(ofMethod: name) == place)
        }
        for method in Set(Route.all.map(\.method)) { #expect(RequestLabels.methods.contains(method)) }
        #expect(RequestLabels.place(ofMethod: "TRACE") == RequestLabels.otherMethod)
        #expect(RequestLabels.place(ofMethod: "get") == RequestLabels.otherMethod)
    }

    @Test func statusesHaveTheirPlaces() {
        for (place, status) in RequestLabels.statuses.enumerated() {
            #expect(RequestLabels.place(ofStatus: status) == place)
        }
        for status in [0, 199, 203, 418, 500, 599] {
            #expect(RequestLabels.statusNames[RequestLabels.place(ofStatus: status)] == "other")
        }
        // Whatever a problem may be answered with has a name of its own.
        for code in ProblemCode.allCases { #expect(RequestLabels.statuses.contains(code.status.code)) }
    }

    @Test func routesHaveTheirPlaces() {
        for route in Route.all { #expect(RequestLabels.routes[route.place] == route.path) }
        #expect(Set(RequestLabels.routes).count == RequestLabels.routes.count)
        #expect(!RequestLabels.routes.contains(""))
        for route in Route.all {
            var tally = RequestTally()
            tally.found(route, route.method)
            #expect(RequestLabels.methods[tally.method] == route.method)
            if route.method == "GET" {
                tally.found(route, "HEAD")
                #expect(tally.method == RequestLabels.head)
            }
        }
    }

    @Test func outcomesHaveTheirPlaces() {
        let outcomes = ProviderTally.outcomes
        #expect(outcomes[ProviderTally.acceptedPlace].verdict == "accepted")
        for (place, code) in [
            (ProviderTally.faultPlace, "keys_unavailable"), (ProviderTally.storeFaultPlace, "store_unavailable"),
        ] {
            #expect(outcomes[place] == ("fault", code))
        }
        #expect(Set(outcomes.map(\.code)).count == outcomes.count)
        #expect(Set(ProblemCode.allCases.map(\.place)) == Set(ProblemCode.allCases.indices))
    }
}
